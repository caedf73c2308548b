import { describe, expect, test } from 'vitest'
import { describeArticle } from '#src/features/articles/web/article-structured-data.ts'
import { describeJob } from '#src/features/jobs/web/job-structured-data.ts'
import { describeVideo } from '#src/features/pages/web/video-structured-data.ts'
import { everyDay } from '#src/lib/time/business-hours.ts'
import { describeBusiness } from '#src/ui/page/business-data.ts'
import { describeTrail } from '#src/ui/page/describe-trail.ts'

/*
 * That each property and type is one of schema.org is checked by the compiler (schema-dts, made of schema.org's definitions).
 * Here is what search engines want beyond: Google's lists of each kind of result, as of November 2026
 * (https://developers.google.com/search/docs/appearance/structured-data/search-gallery).
 */

const origin = 'https://www.example.com'
const job = {
  ...{ id_emploi: 7, titre: 'Technicienne', titre_en: 'Technician', description: '<p>Ici.</p>', description_en: '<p>Here.</p>' },
  ...{ publie: true, opens_on: null, closes_on: '2026-12-11', employment_type: 'FULL_TIME', state: 'open', version: 1 },
  ...{ created_at: '2026-11-02T14:00:00.000Z', posted_on: '2026-11-02', english_older: {} },
} as Parameters<typeof describeJob>[0]
const article = {
  titre: 'La boîte vocale',
  titre_en: 'Voicemail',
  created_at: '2026-11-02T14:00:00.000Z',
  updated_at: '2026-11-03T14:00:00.000Z',
}
const video = { kind: 'file', src: '/videos/a.webm', type: 'video/webm', captions: null, poster: '/videos/a.png' } as const

const described = {
  JobPosting: describeJob(job, origin, 'fr'),
  VideoObject: describeVideo(
    { ...video, uploaded_at: '2026-11-02T14:00:00.000Z' },
    { title: 'Le téléphone', description: 'Pas à pas.' },
    origin,
    '/share-fr.png',
  ),
  TechArticle: describeArticle(article, { origin, path: '/aide/boite-vocale', language: 'fr', description: 'Comment faire.' }),
  ProfessionalService: describeBusiness(origin, 'fr', {
    week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'),
    holidays: [{ date: '2026-12-25', spans: [] }],
  }),
  BreadcrumbList: describeTrail(origin, [
    { name: 'Emplois', path: '/emploi' },
    { name: 'Technicienne', path: '/emploi/voir/7' },
  ]),
}

const address = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry']
/** Paths of the required properties, and of the recommended ones that the product knows. */
const wanted: Record<keyof typeof described, string[]> = {
  JobPosting: [
    ...['title', 'description', 'datePosted', 'hiringOrganization.name', 'hiringOrganization.sameAs', 'hiringOrganization.logo'],
    ...address.map((one) => `jobLocation.address.${one}`),
    ...['validThrough', 'employmentType', 'identifier.name', 'identifier.value', 'directApply'],
  ],
  VideoObject: ['name', 'thumbnailUrl', 'uploadDate', 'description', 'contentUrl'],
  TechArticle: ['headline', 'datePublished', 'dateModified', 'author.name', 'author.url', 'publisher.logo.url'],
  ProfessionalService: [
    ...['name', 'telephone', 'url', 'image', 'geo.latitude', 'geo.longitude', 'openingHoursSpecification.0.opens'],
    ...address.map((one) => `address.${one}`),
  ],
  BreadcrumbList: ['0', '1'].flatMap((index) => ['position', 'name', 'item'].map((one) => `itemListElement.${index}.${one}`)),
}

const valueAt = (data: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], data)

describe('what search engines require', () => {
  test.each(Object.keys(wanted) as (keyof typeof wanted)[])('of a %s is there', (kind) => {
    const data = described[kind]
    expect(data['@type']).toBe(kind)
    for (const path of wanted[kind]) {
      const value = valueAt(data, path)
      expect(value, path).toBeDefined()
      expect(String(value), path).not.toBe('')
    }
  })

  test('a posting ends with its last day, in its time zone', () => {
    expect(valueAt(described.JobPosting, 'validThrough')).toBe('2026-12-11T23:59:59-05:00')
  })

  test('names whole addresses, and dates in ISO 8601 with their time zone', () => {
    const text = JSON.stringify(described)
    for (const [, url = ''] of text.matchAll(
      /"(?:url|item|sameAs|logo|image|thumbnailUrl|contentUrl|mainEntityOfPage)":"([^"]*)"/g,
    ))
      expect(url).toMatch(/^https:\/\//)
    for (const [, date = ''] of text.matchAll(/"(?:uploadDate|datePublished|dateModified)":"([^"]*)"/g))
      expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/)
  })
})
