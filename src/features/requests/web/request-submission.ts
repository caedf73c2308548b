import { isLanguage } from '#src/lib/language/language.ts'
import { ApiError, callApi, getJson, makeClientId } from '#src/ui/api.ts'
import { setValue } from '#src/ui/forms/form-draft.ts'
import { createFormSubmission } from '#src/ui/forms/form-submission.ts'
import { readCookie } from '#src/ui/storage.ts'
import type { Sending } from '#src/ui/forms/use-form.ts'
import { contactInput, supportInput } from '../contract.ts'
import { storedOutcome, failedOutcome } from '../outcome.ts'
import type { Upload, UploadProgress } from '#src/ui/uploads/upload.ts'
import { requestFields } from '../form-values.ts'
import { referencePattern } from '../values.ts'

/** Milliseconds without a response before the page shows a notice, and before it retries. */
const slowAfter = 10_000
const retryAfter = 30_000

type Values = Record<string, string>
/** What a form of another feature has of its own. */
export type FormTarget = {
  schema: Parameters<typeof createFormSubmission>[0]['schema'] & { shape: Record<string, unknown> }
  fields: readonly string[]
  /** The body of a call, or of a page's post. */
  bodyOf: (values: Values, form: HTMLFormElement | null) => FormData
  send: (body: FormData, run: Run) => Promise<unknown>
  /** The names of the files that a body carries. */
  fileNames: (body: FormData) => string
  /** Empties what is no text. */
  clear: (form: HTMLFormElement) => void
}
type Run = Parameters<Upload['run']>[0]
type Receipt = { reference: string; follow: string | null }

/** The answer proves nothing: not the number of a request, or none that could be read. */
class Unconfirmed extends Error {}
/** Neither the call nor the page's own post went through, and the browser keeps no cookie. */
class CookiesRefused extends Error {}
/** By the person who sent it. */
class Stopped extends Error {}

/** Submission of a public form, loaded on first input; `shownAt` is the server's signed time, fetched when the page has none. */
export function createRequestSubmission(
  kind: keyof typeof requestFields,
  shownAt: string | null,
  form: HTMLFormElement | null,
  isNew: boolean,
  target?: FormTarget,
) {
  const schema = target?.schema ?? (kind === 'support' ? supportInput : contactInput)
  const post = (values: Values, run: Run) =>
    target
      ? target.send(target.bodyOf(values, form), run)
      : callApi<unknown>('POST', `/api/mailer/${kind}`, { ...values, source: globalThis.visitSource }, run.signal)
  const postAsPage = (values: Values, signal: AbortSignal) =>
    postPage(target?.bodyOf(values, form) ?? new URLSearchParams(values), signal)
  // Extensions add fields of their own to a page's form.
  const known = Object.keys(schema.shape)
  // `setValue` fires an input event, so the draft stores the id too.
  const renewId = () => form && setValue(form, 'client_id', makeClientId())
  if (isNew || !(form?.elements.namedItem('client_id') as HTMLInputElement | null)?.value) renewId()
  let time = shownAt === null ? fetchTime() : Promise.resolve<string | null>(shownAt)

  /** Sends the form once; the number it was given, or why none is known. */
  async function sendOnce(values: Values, run: Run): Promise<Receipt> {
    const { signal } = run
    if (!readCookie('XSRF-TOKEN')) time = Promise.resolve((await fetchTime(signal)) ?? (await time))
    const token = await time
    const body = { ...values, ...(token && { shown_at: token }) }
    if (!readCookie('XSRF-TOKEN')) return postAsPage(body, signal)
    try {
      return readReceipt(await post(body, run))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Another server secret than the one that signed the time: a new one is requested once.
      if (error.errors.some(({ path }) => path === 'shown_at')) {
        time = fetchTime(signal)
        const fresh = await time
        return readReceipt(await post({ ...values, ...(fresh && { shown_at: fresh }) }, run))
      }
      if (error.status === 403) return postAsPage(body, signal)
      throw error
    }
  }

  return createFormSubmission<Receipt>({
    schema,
    fields: requestFields[kind],
    async send({ shown_at: _pageTime, ...all }, sending) {
      const filled = Object.entries(all).filter(([name]) => known.includes(name))
      // Only the address may name it: without it the server uses the language of the cookie.
      const language = document.documentElement.lang.slice(0, 2)
      const values: Values = { ...Object.fromEntries(filled), ...(isLanguage(language) && { language }) }
      return race((run) => sendOnce(values, run), sending, target?.fileNames(target.bodyOf(values, form)) ?? '')
    },
    describeSent({ reference, follow }) {
      // What is written next is another matter.
      renewId()
      if (form) target?.clear(form)
      return storedOutcome(kind, reference, follow)
    },
    describeFailure: (failure, error) => failedOutcome(failure, causeOf(error)),
  })
}

function causeOf(error: unknown) {
  if (error instanceof CookiesRefused) return 'cookies'
  return error instanceof Stopped ? 'stopped' : undefined
}

/**
 * Waits for the response, shows a notice after a while, and retries once with the same id. What
 * answers first with a number counts; the attempts before go on meanwhile. Files (`names`) take as long as they take: the wait
 * begins anew while bytes leave, and they go on by themselves after a lost connection.
 */
function race(attempt: (run: Run) => Promise<Receipt>, sending: Sending, names: string) {
  const { promise, resolve, reject } = Promise.withResolvers<Receipt>()
  const controller = new AbortController()
  let open = 0
  let timers: ReturnType<typeof setTimeout>[] = []
  const disarm = () => {
    for (const timer of timers) clearTimeout(timer)
  }
  const arm = () => {
    disarm()
    timers = [
      setTimeout(sending.onSlow, slowAfter),
      setTimeout(() => names === '' && begin(), retryAfter),
      setTimeout(() => reject(new Unconfirmed('no answer')), 2 * retryAfter),
    ]
  }
  const stop = () => {
    reject(new Stopped())
    controller.abort()
  }
  const onProgress = (progress: UploadProgress) => {
    if (names === '') return
    if (progress.sent > (sending.upload?.progress.sent ?? 0)) arm()
    sending.upload = { name: names, stop, progress }
  }
  const begin = () => {
    open += 1
    attempt({ signal: controller.signal, onProgress }).then(resolve, (error: unknown) => {
      open -= 1
      if (open === 0) reject(error)
    })
  }
  if (names === '') sending.tryAgain = begin
  arm()
  begin()
  return promise.finally(() => {
    disarm()
    controller.abort()
  })
}

function readReceipt(answer: unknown): Receipt {
  const { reference, follow } = (answer ?? {}) as { reference?: unknown; follow?: unknown }
  if (typeof reference === 'string' && referencePattern.test(reference))
    return { reference, follow: typeof follow === 'string' ? follow : null }
  throw new Unconfirmed('an answer without a number')
}

/** Any answer of the API brings the XSRF cookie too. */
async function fetchTime(signal?: AbortSignal) {
  const asked = await getJson<{ shown_at?: unknown } | undefined>('/api/mailer/form', signal).catch(() => undefined)
  return typeof asked?.shown_at === 'string' ? asked.shown_at : null
}

/** The form as the browser itself would post it, which takes no cookie; the page that comes back holds the number. */
async function postPage(body: FormData | URLSearchParams, signal: AbortSignal) {
  const answer = await fetch(location.pathname, { method: 'POST', body, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return null
  })
  if (answer?.status === 429) throw new ApiError(429, {})
  const page = (await answer?.text()) ?? ''
  const [, reference] = /data-reference="([^"]+)"/.exec(page) ?? []
  const [follow = null] = /\/suivi\/[\w-]+/.exec(page) ?? []
  if (answer?.ok && reference && referencePattern.test(reference)) return { reference, follow }
  throw new CookiesRefused('no cookies, and the page did not take the form')
}
