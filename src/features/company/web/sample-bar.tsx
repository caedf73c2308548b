import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Profile } from '#src/features/people/contract.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useTexts } from '#src/ui/language.tsx'
import { useLive } from '#src/ui/live/use-live.tsx'
import type { SampleCount, SampleEmptied } from '../contract.ts'

const sampleTexts = defineTexts({
  fr: {
    shown: 'Le site montre du contenu d’exemple : {count} {count|entrée|entrées}.',
    empty: 'Vider le contenu d’exemple',
    title: 'Vider le contenu d’exemple?',
    what: 'Les personnes, les offres, les réseaux, les avis, les articles et les appels inventés disparaissent du site.',
    consequence: 'Ce que vous avez modifié ou mis en service reste. Le journal peut restaurer le reste, sauf les appels.',
    emptied: '{count} {count|entrée supprimée|entrées supprimées}.',
    kept: '{count} {count|entrée supprimée|entrées supprimées}. Gardé, car modifié ou en service : {names}.',
    failed: 'Le contenu d’exemple n’est pas vidé en entier',
  },
  en: {
    shown: 'The site shows sample content: {count} {count|entry|entries}.',
    empty: 'Empty the sample content',
    title: 'Empty the sample content?',
    what: 'The invented people, postings, networks, notices, articles and calls disappear from the site.',
    consequence: 'What you edited or put to use stays. The audit log can restore the rest, except calls.',
    emptied: '{count} {count|entry|entries} deleted.',
    kept: '{count} {count|entry|entries} deleted. Kept, as edited or in use: {names}.',
    failed: 'The sample content was not emptied completely',
  },
})

const path = '/api/company/sample'

/** Entries of the sample content, known before the page is drawn; null for whom it is not theirs to empty. */
export async function findSample({ rights, totp_required: isLimited }: Profile) {
  if (isLimited || !hasRight(rights, 'company', 'administrator')) return null
  try {
    return (await getJson<SampleCount>(path)).count
  } catch (error) {
    // No screen is refused for it: the next change of the company asks again.
    console.warn(error)
    return 0
  }
}

/** While sample content is shown: says so on every screen, and empties it. */
export function SampleBar({ initial }: { initial: number }) {
  const t = useTexts(sampleTexts)
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [count, setCount] = useState(initial)
  const [isAsking, setAsking] = useState(false)
  const [emptied, setEmptied] = useState<SampleEmptied | null>(null)
  const refresh = async () => {
    try {
      setCount((await getJson<SampleCount>(path)).count)
    } catch (error) {
      // The server restarts or the session ended: the next change retries.
      console.warn(error)
    }
  }
  useLive((area) => {
    if (area === 'company' || area === null) void refresh()
  })
  const empty = async () => {
    try {
      setEmptied(await callApi<SampleEmptied>('DELETE', path))
    } finally {
      setAsking(false)
      await Promise.all([refresh(), revalidate()])
    }
  }
  const names = emptied?.kept.join(', ') ?? ''
  return (
    <>
      {count > 0 && (
        <div className="not-printed mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card bg-brand-soft px-5 py-3">
          <p>{t('shown', { count })}</p>
          <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
            {t('empty')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('title')}
        consequence={t('consequence')}
        confirmLabel={t('empty')}
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void run(empty, { failed: t('failed') })}
      >
        <p>{t('what')}</p>
      </ConfirmDialog>
      <Toast {...toast} />
      <Toast status={emptied ? 'success' : null} onHide={() => setEmptied(null)}>
        {emptied && t(names ? 'kept' : 'emptied', { count: emptied.removed, names })}
      </Toast>
    </>
  )
}
