import type { CompanyHolidays } from '#src/lib/company-schema.ts'

/** Closed days, by date. In a separate file, because no page of the site needs them. */
export const holidays: CompanyHolidays = [
  { date: '2026-12-25', name: { fr: 'Noël', en: 'Christmas Day' } },
  { date: '2026-12-28', name: { fr: 'Lendemain de Noël', en: 'Boxing Day' } },
  { date: '2027-01-01', name: { fr: 'Jour de l’An', en: 'New Year’s Day' } },
  { date: '2027-01-04', name: { fr: 'Lendemain du jour de l’An', en: 'Day after New Year’s' } },
  { date: '2027-03-26', name: { fr: 'Vendredi saint', en: 'Good Friday' } },
  { date: '2027-05-24', name: { fr: 'Journée nationale des patriotes', en: 'National Patriots’ Day' } },
  { date: '2027-06-24', name: { fr: 'Fête nationale du Québec', en: 'Quebec National Holiday' } },
  { date: '2027-07-01', name: { fr: 'Fête du Canada', en: 'Canada Day' } },
  { date: '2027-09-06', name: { fr: 'Fête du Travail', en: 'Labour Day' } },
  { date: '2027-10-11', name: { fr: 'Action de grâce', en: 'Thanksgiving' } },
]
