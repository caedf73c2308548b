import { company } from '#company/company.ts'
import { ButtonLink } from '#src/ui/button.tsx'
import { addToDraft } from '#src/ui/form-draft.ts'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import type { ChatState } from './visitor-state.ts'
import { readKept } from './visitor-storage.ts'

type WayOutProps = { state?: ChatState | undefined; isBroken?: boolean | undefined; onLeave: () => void }

/** The telephone; where the chat does not come about also the form, with what was written so far. */
export function WayOut({ state, isBroken, onLeave }: WayOutProps) {
  const t = useTexts(texts)
  const { tollFree } = company.phones
  const carryOver = () => {
    const { draft, visitor } = readKept()
    const written = [...(state?.conversation.unsent.map((one) => one.message) ?? []), draft].filter(Boolean)
    if (written.length > 0) addToDraft('requests/support', 'description', written.join('\n'))
    if (visitor) addToDraft('requests/support', 'email', visitor.email)
    onLeave()
  }
  return (
    <>
      <p className="mt-2">
        <span>{t('urgent')}</span>{' '}
        <a href={`tel:${tollFree.e164}`} translate="no" className="font-bold whitespace-nowrap text-brand underline">
          {tollFree.display}
        </a>
        <span>, {t('dayAndNight')}</span>
      </p>
      {isBroken && (
        <ButtonLink to="/appel-de-service" wide className="mt-3" onClick={carryOver}>
          {t('serviceCall')}
        </ButtonLink>
      )}
    </>
  )
}
