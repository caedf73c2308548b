import { describeWeek } from '#src/lib/describe-hours.ts'
import type { Language } from '#src/lib/language.ts'
import { locales } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import type { ChatAvailability } from '../../values.ts'
import { Later } from './later.tsx'
import type { ChatState } from './visitor-state.ts'
import { readKept } from './visitor-storage.ts'
import { WayOut } from './way-out.tsx'

type Hours = ChatAvailability['hours']
type NoticeProps = { onCheck: () => void; onLeave: () => void }
const loadMessage = () => import('./panel-message.tsx').then((loaded) => loaded.PanelMessage)

/** Nobody is at the counter: the hours, the next opening and the other ways in. */
export function ShutNotice({ hours, ...rest }: NoticeProps & { hours: Hours }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { week, next_opening: next } = hours
  const usual = hours.days.join() === '1,2,3,4,5' && week.every(({ opens, closes }) => opens === '08:00' && closes === '17:00')
  return (
    <Notice title={t('shutTitle')} {...rest}>
      <p>{usual ? t('shutHours') : t('shutOtherHours', { hours: describeWeek(week, language) })}</p>
      <p className="mt-2">{next ? t('nextOpening', { time: openingTime(language, next, hours.time_zone) }) : t('allBusy')}</p>
    </Notice>
  )
}

/** What was begun does not come about: the other ways in, while it is tried again. */
export function BrokenNotice({ phase, state, ...rest }: NoticeProps & { phase: 'broken' | 'nobody'; state: ChatState }) {
  const t = useTexts(texts)
  return (
    <Notice key={phase} title={t(`${phase}Title`)} isBroken={phase === 'broken'} state={state} {...rest}>
      <p role="alert" className="rounded-field bg-err-soft px-4 py-3 font-bold text-err">
        {t(phase)}
      </p>
      {phase === 'broken' && <p className="mt-2">{t('stillTrying')}</p>}
    </Notice>
  )
}

type FrameProps = NoticeProps & { title: string; isBroken?: boolean; state?: ChatState; children: React.ReactNode }

function Notice({ title, isBroken, state, children, onCheck, onLeave }: FrameProps) {
  const t = useTexts(texts)
  const idChat = state?.idChat ?? null
  const written = [...(state?.conversation.unsent.map((one) => one.message) ?? []), readKept().draft]
  return (
    <div className="chat-body">
      <h3 data-first="" tabIndex={-1} className="mb-3 outline-none">
        {title}
      </h3>
      {children}
      <WayOut state={state} onLeave={onLeave} isBroken={isBroken} />
      <div className="mt-6 grid gap-3">
        {!isBroken && <Later load={loadMessage} with={{ idChat, start: written.filter(Boolean).join('\n') }} />}
        <Button variant="secondary" wide onClick={onCheck}>
          {t(idChat ? 'resume' : 'checkAgain')}
        </Button>
      </div>
    </div>
  )
}

function openingTime(language: Language, iso: string, timeZone: string) {
  const format = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', timeZone } as const
  const words = new Intl.DateTimeFormat(locales[language], format).format(new Date(iso))
  // The sentence has its own full stop, and the hour stays on one line.
  return words.replace(/\.$/, '').replace(/(?<=\d) (?=h |[ap]\.)|(?<=h) (?=\d)/g, '\u00A0')
}
