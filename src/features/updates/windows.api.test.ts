import { describe, expect, test } from 'vitest'
import type { MaintenanceWindow } from './contract.ts'
import { alertPath, setUpAlerts } from './testing.ts'

const { product, administrator, inMinutes, set, later } = setUpAlerts()

const windows = async () => (await (await product().client()).get<MaintenanceWindow[]>('/api/updates/windows')).body

describe('a maintenance window', () => {
  test('is visible to visitors while its alert is public: before, during and after', async () => {
    await set(60)
    expect(await windows()).toEqual([])
    await set(60, { public: true, duration_minutes: 10 })
    expect(await windows()).toMatchObject([{ state: 'planned', message: 'Nouvelle version', ends_at: inMinutes(70) }])
    later(61)
    expect(await windows()).toMatchObject([{ state: 'running' }])
    later(10)
    expect(await windows()).toMatchObject([{ state: 'done' }])
    later(8 * 24 * 60)
    expect(await windows()).toEqual([])
  })

  test('that is removed before it begins is not shown', async () => {
    await set(60, { public: true })
    await administrator().delete(alertPath)
    expect(await windows()).toEqual([])
  })

  test('follows a component to its new name', async () => {
    const staff = await product().signIn()
    const networkOf = (nom: string) => {
      return { nom: 'Québec', status: 'ONLINE', details: JSON.stringify([{ nom, nom_en: '', statut: 'OK' }]) }
    }
    const { id_reseau } = (await staff.post<{ id_reseau: number }>('/api/networks/reseau', networkOf('Téléphonie'))).body
    await set(60, { public: true, elements: [{ id_reseau, nom: 'Téléphonie' }] })
    expect(await windows()).toMatchObject([{ elements: [{ nom: 'Téléphonie' }] }])
    expect((await staff.put(`/api/networks/reseau/${id_reseau}`, networkOf('Voix'))).status).toBe(200)
    await expect.poll(windows).toMatchObject([{ elements: [{ nom: 'Voix' }] }])
    expect((await staff.delete(`/api/networks/reseau/${id_reseau}`)).status).toBe(204)
  })

  test('is in the calendars under a permanent UID, in both languages', async () => {
    const read = async (file: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${product().origin}/reseau/${file}`, { headers })
      return { response, text: (await response.text()).replaceAll('\r\n ', '') }
    }
    const uidOf = (text: string) => /UID:(.+)\r/.exec(text)?.[1]
    expect((await read('calendrier.ics')).text).not.toContain('VEVENT')

    await set(60)
    expect((await read('calendrier.ics')).text).not.toContain('VEVENT')
    await set(60, { public: true, message: 'Pare-feu, Québec', message_en: '' })
    const first = await read('calendrier.ics')
    expect(first.response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    // The response contains the requested Host, which only PUBLIC_URL makes the same for everybody.
    expect(first.response.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
    expect(first.text).toContain(String.raw`DESCRIPTION:Pare-feu\, Québec`)
    expect(first.text).toContain('SEQUENCE:1')
    const english = await read('calendar.ics')
    expect(english.text).toContain('SUMMARY:Scheduled maintenance: ')
    expect(uidOf(english.text)).toBe(uidOf(first.text))
    const etag = first.response.headers.get('etag') ?? ''
    expect((await read('calendrier.ics', { 'if-none-match': etag })).response.status).toBe(304)

    await set(120, { public: true })
    const moved = await read('calendrier.ics')
    expect(moved.text).toContain('SEQUENCE:2')
    expect(uidOf(moved.text)).toBe(uidOf(first.text))

    await administrator().delete(alertPath)
    const removed = await read('calendrier.ics')
    expect(removed.text).toContain('STATUS:CANCELLED')
    expect(removed.text).not.toContain('Nouvelle version')
    expect(uidOf(removed.text)).toBe(uidOf(first.text))
  })
})
