import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import type { Availability } from '#src/lib/availability.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { clock, clockIn, foreignZone } from '#src/lib/time/clock.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { unbroken } from '#src/lib/text/numbers.ts'
import { getJson } from '#src/ui/api.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { readValues } from '#src/ui/forms/form-draft.ts'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { PhoneIcon } from '#src/ui/components/icons.tsx'
import { Holes } from '#src/ui/components/holes.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { readCookie } from '#src/ui/storage.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { stateTexts } from '../state-texts.ts'
import { requestFields } from '../form-values.ts'
import type { StateProps, RequestForm } from './request-form.tsx'

/** A form with files alone shows it. */
const UploadBar = lazy(async () => ({ default: (await import('#src/ui/uploads/upload-bar.tsx')).UploadBar }))
const CopyIcon = pathIcon('M9 9h11v11H9zM15 9V4H4v11h5')

/** Seconds after which the form is sent once more by itself. */
const retryAfter = 30

/** Where the form is between what was written and its number; loaded when it is first sent. */
export default function RequestState({ form, isAbove }: StateProps) {
  return isAbove ? <CookieNotice /> : <BelowFields form={form} />
}

function BelowFields({ form }: StateProps) {
  const language = useLanguage()
  const { sending, outcome, status } = form
  const shown = status === 'success' || status === 'error' ? status : null
  return (
    // The page that came with the answer opens there, far below the top on a phone.
    <div className="mt-6 grid gap-5 outline-none" {...(form.opensAtAnswer && { tabIndex: -1, autoFocus: true })}>
      <StatusCard status={shown}>
        <p className={`font-bold ${shown === 'error' ? 'text-err' : 'text-ok'}`}>{outcome?.lines[0]?.[language]}</p>
      </StatusCard>
      {sending && <UnderWay key={sending.since} form={form} />}
      {!sending && outcome?.status === 'error' && <Failed form={form} />}
      {!sending && outcome?.reference && <Stub form={form} reference={outcome.reference} />}
    </div>
  )
}

function UnderWay({ form: { sending, isSlow } }: { form: RequestForm }) {
  const t = useTexts(stateTexts)
  const seconds = useSecondsSince(sending?.since ?? 0)
  const [isRetried, setRetried] = useState(false)
  const left = retryAfter - seconds
  const upload = sending?.upload
  return (
    <>
      <Holes
        label={t('progress')}
        holes={[
          { mark: 'done', label: t('written') },
          { mark: 'now', label: isSlow ? t('sendingFor', { seconds }) : t('sending') },
          { mark: 'next', label: t('number') },
        ]}
      />
      <div role="status">
        {isSlow ? (
          <Panel tone="warn" title={t('slowTitle')} text={t('slowText')} />
        ) : (
          !upload && <p className="text-center text-sm text-ink-2">{t('usually')}</p>
        )}
      </div>
      {upload && (
        <Suspense fallback={null}>
          <UploadBar name={upload.name} progress={upload.progress} onStop={upload.stop} />
        </Suspense>
      )}
      {isSlow && (
        <div className="grid gap-3">
          <CallButton variant="primary" />
          {!upload && (
            <Button
              variant="secondary"
              wide
              disabled={isRetried}
              onClick={() => {
                setRetried(true)
                sending?.tryAgain?.()
              }}
            >
              {t('sendNow')}
            </Button>
          )}
          {!upload && (
            <p className="rounded-card border border-dashed border-edge px-5 py-3 text-sm">
              {left > 0 && !isRetried ? t('retryIn', { seconds: left }) : t('retried')}
            </p>
          )}
          <p className="text-sm text-ink-2">{t('onThePhone')}</p>
        </div>
      )}
    </>
  )
}

function Failed({ form }: { form: RequestForm }) {
  const t = useTexts(stateTexts)
  const language = useLanguage()
  const isLive = useHydrated()
  const isHalted = form.outcome?.cause === 'stopped'
  const reason = form.outcome?.lines[1]?.[language] ?? ''
  return (
    <>
      <Holes
        label={t('progress')}
        holes={[
          { mark: 'done', label: t('written') },
          { mark: 'failed', label: t(isHalted ? 'halted' : 'unconfirmed') },
          { mark: 'next', label: t('number') },
        ]}
      />
      <Panel tone="err" title={t(isHalted ? 'haltedTitle' : 'failedTitle')} text={reason}>
        <Button type="submit" wide>
          {t('sendAgain')}
        </Button>
        <CallButton variant="secondary" />
        {isLive && <CopyButton label={t('copyText')} textOf={(element) => writtenText(element, form.kind)} />}
      </Panel>
    </>
  )
}

function Stub({ form, reference }: { form: RequestForm; reference: string }) {
  const t = useTexts(stateTexts)
  const language = useLanguage()
  const isLive = useHydrated()
  const isApplication = form.kind === 'application'
  const { availability } = usePublicContext()
  const reading = isLive && !isApplication && availability && readingTime(availability, language)
  const stub = useRef<HTMLDivElement>(null)
  const [at] = useState(() => new Date().toISOString())
  const { tollFree } = company.phones
  useEffect(() => stub.current?.focus(), [])
  return (
    <>
      <div ref={stub} tabIndex={-1} className="card overflow-hidden outline-none">
        <div className="night grid gap-4 px-6 py-5">
          <div>
            <p className="font-bold">{t(isApplication ? 'applicationNumber' : 'requestNumber')}</p>
            <p data-reference={reference} className="tabular text-2xl font-extrabold text-lamp">
              {reference}
            </p>
          </div>
          <Holes
            upright
            label={t('progress')}
            holes={[
              { mark: 'done', label: t('received'), ...(isLive && { detail: formatDateTime(at, language) }) },
              { mark: 'now', label: t(isApplication ? 'applicationRead' : 'read'), ...(reading && { detail: reading }) },
              { mark: 'next', label: t(isApplication ? 'applicationAnswered' : 'resolved') },
            ]}
          />
          {form.outcome?.follow && (
            <ButtonAnchor
              wide
              href={addressInLanguage(form.outcome.follow, language === defaultLanguage ? null : language)}
              className="bg-lamp text-on-lamp hover:bg-lamp/85"
            >
              {t('follow')}
            </ButtonAnchor>
          )}
          {isLive && <CopyButton label={t('copyNumber')} textOf={() => reference} />}
        </div>
        <div className="ticket-fold px-6 py-5">
          {form.outcome?.lines.slice(1).map((one) => (
            <p key={one.fr}>{one[language]}</p>
          ))}
        </div>
      </div>
      <p className="text-sm text-ink-2">
        <span>{t(isApplication ? 'questions' : 'readyForMore')}</span>{' '}
        <a href={`tel:${tollFree.e164}`} className="tabular font-bold text-brand underline underline-offset-2">
          {tollFree.display}
        </a>
      </p>
    </>
  )
}

/** Until when requests are read, or from when on where it is closed; null where nobody knows. */
export function readingTime(availability: Availability, language: Language) {
  const { next_opening: next, closes_at: closes, time_zone: timeZone } = availability
  const at = next ?? closes
  if (at === null) return null
  const instant = new Date(at)
  const day = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone }).format(instant)
  const time = clock(clockIn(timeZone, instant), language) + foreignZone(availability, language)
  return translator(stateTexts, language)(next ? 'readFrom' : 'readUntil', { day, time })
}

/** Shown above the fields where nothing but refused cookies is left as the cause. */
function CookieNotice() {
  const t = useTexts(stateTexts)
  const notice = useRef<HTMLDivElement>(null)
  const [check, setCheck] = useState<'' | 'blocked' | 'allowed'>('')
  useEffect(() => notice.current?.focus(), [])
  const handleCheck = async () => {
    await getJson('/api/mailer/form').catch(() => undefined)
    setCheck(readCookie('XSRF-TOKEN') ? 'allowed' : 'blocked')
  }
  if (check === 'allowed') return <Button type="submit">{t('sendAgain')}</Button>
  return (
    <div ref={notice} tabIndex={-1} role="group" aria-label={t('cookiesTitle')} className="outline-none">
      <Panel tone="warn" title={t('cookiesTitle')} text={t('cookiesText')}>
        <ol className="grid list-decimal gap-2 ps-6 marker:font-bold">
          <li>{t('cookies1')}</li>
          <li>{t('cookies2')}</li>
          <li>{t('cookies3', { host: location.host })}</li>
        </ol>
        <p role="status">{check === 'blocked' && t('stillBlocked')}</p>
        <Button wide onClick={() => void handleCheck()}>
          {t('checkAgain')}
        </Button>
        <CallButton variant="secondary" />
      </Panel>
    </div>
  )
}

type PanelProps = { tone: 'warn' | 'err'; title: string; text: string; children?: React.ReactNode }

function Panel({ tone, title, text, children }: PanelProps) {
  return (
    <div className={`flex items-start gap-3 rounded-card px-4 py-4 sm:px-5 ${tone === 'err' ? 'bg-err-soft' : 'bg-warn-soft'}`}>
      <StatusIcon status={tone === 'err' ? 'ERROR' : 'WARNING'} />
      <div className="grid min-w-0 grow gap-3">
        <div>
          <p className="font-bold">{title}</p>
          <p>{text}</p>
        </div>
        {children && <div className="grid gap-3 max-sm:-ms-9 max-sm:[&_svg]:hidden">{children}</div>}
      </div>
    </div>
  )
}

function CallButton({ variant }: { variant: 'primary' | 'secondary' }) {
  const t = useTexts(stateTexts)
  const { tollFree } = company.phones
  return (
    <ButtonAnchor variant={variant} wide href={`tel:${tollFree.e164}`}>
      <PhoneIcon />
      <span>{t('call', { phone: unbroken(tollFree.display) })}</span>
    </ButtonAnchor>
  )
}

function CopyButton({ label, textOf }: { label: string; textOf: (button: HTMLElement) => string }) {
  const t = useTexts(stateTexts)
  const [isCopied, setCopied] = useState(false)
  const handleCopy = (button: HTMLElement) =>
    navigator.clipboard?.writeText(textOf(button)).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <Button variant="secondary" wide onClick={(event) => void handleCopy(event.currentTarget)}>
      <CopyIcon />
      <span>{isCopied ? t('copied') : label}</span>
    </Button>
  )
}

function writtenText(button: HTMLElement, kind: RequestForm['kind']) {
  const form = button.closest('form')
  const values = form ? readValues(form) : {}
  return requestFields[kind].map((field) => values[field]).join('\n')
}

/** Whole seconds since a moment of `performance.now()`, by the second. */
function useSecondsSince(moment: number) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - moment) / 1_000))
}
