import { company } from '#company/company.ts'
import { localTime, parseLocalTime } from '#src/lib/time/zoned-time.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useEffect } from 'react'
import type { UpdateAlert } from '../contract.ts'
import { defaultDuration } from '../values.ts'

export const alertPath = '/api/updates/alert'

/** As it is written in the form: the time on the company's clock. */
export type UpdaterValues = {
  next_update: string
  duration_minutes: string
  message: string
  message_en: string
  public: boolean
  version?: number
}

/** The alert as it is edited; saving stays on the page, where everybody's banner shows at once. */
export function useUpdaterForm(alert: UpdateAlert | null, onSaved: (saved: UpdateAlert) => void) {
  const form = useEntryForm<UpdaterValues, UpdateAlert>({
    draftKey: 'updates/alert',
    initial: valuesOf(alert),
    readCurrent: (current) => valuesOf(current as UpdateAlert),
    required: ['next_update', 'duration_minutes'],
    save: (values) => callApi('PUT', alertPath, inputOf(values)),
    onSaved: (saved) => {
      form.restart(valuesOf(saved))
      onSaved(saved)
    },
  })
  const { isDirty, restart, stored } = form
  const latest = valuesOf(alert)
  const isBehind = !isDirty && (stored.version !== latest.version || stored.next_update !== latest.next_update)
  useEffect(() => {
    // A colleague changed it, and nothing of one's own is lost.
    if (isBehind) restart(latest)
  })
  return form
}

function valuesOf(alert: UpdateAlert | null): UpdaterValues {
  return {
    next_update: alert ? localTime(company.hours.timeZone, new Date(alert.next_update)) : '',
    duration_minutes: String(alert?.duration_minutes ?? defaultDuration),
    message: alert?.message ?? '',
    message_en: alert?.message_en ?? '',
    public: alert?.public ?? false,
    version: alert?.version,
  }
}

function inputOf({ next_update: local, duration_minutes: duration, ...rest }: UpdaterValues) {
  const instant = parseLocalTime(company.hours.timeZone, local)
  if (!instant) throw new ApiError(400, { errors: [{ path: 'next_update', message: 'no such time' }] })
  return { ...rest, next_update: instant.toISOString(), duration_minutes: Number(duration) }
}
