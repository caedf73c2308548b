import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, languages } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { escapeXml as escape } from '#src/lib/text/escape.ts'
import type { Network } from './contract.ts'
import { usualTopics, topics } from './values.ts'
import { subscriptionTexts } from './subscription-texts.ts'

/*
 * The form of the status page and the page of a subscription, as HTML that the server writes: posts of the page itself, with
 * and without JavaScript, so that the browser loads no script for them.
 */

type Chosen = { language: string; networks: readonly string[]; topics: readonly string[] }
export type FormProblem = 'wrongEmail' | 'missingConsent' | 'missingTopic' | 'goneNetworks' | 'limited' | 'failed'
export type FormState = Chosen & { email: string; problem: FormProblem | null; isSent: boolean }
/** What a subscription page shows. */
export type SubscriptionView = Chosen & {
  state: 'pending' | 'expired' | 'active' | 'paused' | 'left'
  email: string
  /** The mail server of the address refused the mails. */
  hasBounced: boolean
  /** Nothing is sent: the chosen networks were deleted, and no checked box would mean all. */
  isGone: boolean
  /** What was done just before. */
  done: 'confirmed' | 'saved' | 'missingTopic' | null
}

type Context = { language: Language; networks: readonly Network[] }

export const emptyForm = (language: Language): FormState => ({
  email: '',
  language,
  networks: [],
  topics: [...usualTopics],
  problem: null,
  isSent: false,
})

const chip = (type: 'checkbox' | 'radio', name: string, value: string, label: string, isChecked: boolean) =>
  `<label class="chip"><input type="${type}" name="${name}" value="${escape(value)}"${isChecked ? ' checked' : ''}><span>${escape(label)}</span></label>`

const group = (legend: string, chips: string, hint = '') =>
  `<fieldset class="chips"><legend class="mb-1 font-bold">${escape(legend)}</legend>${chips}${hint && `<small class="w-full text-ink-2">${escape(hint)}</small>`}</fieldset>`

/** Networks, language and topics: the same in the form and on the page of a subscription, which says what news mean. */
function renderChoices(chosen: Chosen, { language, networks }: Context, topicsHint = '') {
  const t = translator(subscriptionTexts, language)
  const named = networks.filter(({ nom }) => nom)
  const networkChips = named
    .map(({ id_reseau: id, nom }) => chip('checkbox', 'networks', String(id), nom, chosen.networks.includes(String(id))))
    .join('')
  return [
    named.length > 1 ? group(t('networks'), networkChips, t('allNetworks')) : '',
    group(t('language'), languages.map((one) => chip('radio', 'language', one, t(one), chosen.language === one)).join('')),
    group(
      t('topics'),
      topics.map((one) => chip('checkbox', 'topics', one, t(one), chosen.topics.includes(one))).join(''),
      topicsHint,
    ),
  ].join('')
}

const button = (label: string, action: string, classes = 'button-primary') =>
  `<button class="button ${classes}"${action && ` name="action" value="${action}"`}>${escape(label)}</button>`

const notice = (text: string, isGood: boolean) =>
  `<p role="${isGood ? 'status' : 'alert'}" class="rounded-card px-5 py-3 font-bold ${isGood ? 'bg-ok-soft text-ok' : 'bg-err-soft text-err'}">${escape(text)}</p>`

/** The form of the status page. */
export function renderSubscribeForm(form: FormState, context: Context) {
  const t = translator(subscriptionTexts, context.language)
  const path = context.language === defaultLanguage ? '/reseau' : addressInLanguage('/reseau', context.language)
  const isWrong = form.problem === 'wrongEmail'
  // The style sheet shows the one that names what is checked, without a script.
  const consent = (key: 'consent' | 'consentNews', name: string) =>
    `<span class="${name}">${escape(t(key, { company: company.legalName }))}</span>`
  const fields = `<label class="grid gap-1"><span class="font-bold">${escape(t('email'))}</span><input class="input" type="email" name="email" required autocomplete="email" maxlength="254" value="${escape(form.email)}"${isWrong ? ' aria-invalid="true" aria-describedby="subscribe-problem"' : ''}></label>${renderChoices(form, context)}<label class="flex items-start gap-3 text-sm"><input class="mt-1" type="checkbox" name="consent" value="1" required aria-invalid="false">${consent('consent', 'subscribe-consent')}${consent('consentNews', 'subscribe-consent-news')}</label>${button(t('subscribe'), '', 'bg-lamp text-on-lamp w-full')}`
  const problem = form.problem ? `<div id="subscribe-problem">${notice(t(form.problem), false)}</div>` : ''
  return `<section class="night rounded-card grid gap-4 p-6 print:hidden" id="abonnement" aria-labelledby="subscribe-title"><h2 id="subscribe-title" class="text-2xl">${escape(t('title'))}</h2>${form.isSent ? notice(t('sent'), true) : `<p class="text-ink-2">${escape(t('lead'))}</p>${problem}<form method="post" action="${path}#abonnement" class="grid gap-4">${fields}</form>`}</section>`
}

/** The page of one subscription: confirm, choose, leave. */
export function renderSubscription(view: SubscriptionView, action: string, context: Context) {
  const t = translator(subscriptionTexts, context.language)
  const { state, email } = view
  const done = view.done ? notice(t(view.done), view.done !== 'missingTopic') : ''
  const gone = view.isGone ? notice(t('goneNetworks'), false) : ''
  const hidden = context.language === defaultLanguage ? '' : `<input type="hidden" name="lang" value="${context.language}">`
  const form = (content: string) =>
    `<form method="post" action="${action}" class="grid justify-items-start gap-5">${hidden}${content}</form>`
  const again = `<p><a class="button button-primary" href="/reseau#abonnement">${escape(t('subscribeAgain'))}</a></p>`
  const text = (key: 'confirmText' | 'activeText' | 'pausedText' | 'bouncedText' | 'leftText') =>
    `<p class="wrap-anywhere">${escape(t(key, { email }))}</p>`
  if (state === 'expired') return `<p>${escape(t('expiredText'))}</p>${again}`
  if (state === 'left') return `${text('leftText')}${again}`
  if (state === 'pending')
    return `${text('confirmText')}${form(button(t('confirm'), 'confirm'))}<p class="text-ink-2">${escape(t('notYou'))}</p>`
  const choices = form(
    `${renderChoices(view, context, t('newsConsent', { company: company.legalName }))}${button(t('save'), 'save')}`,
  )
  const head =
    state === 'paused'
      ? `${text(view.hasBounced ? 'bouncedText' : 'pausedText')}${form(button(t('resume'), 'confirm'))}`
      : text('activeText')
  const leaving = `<section class="grid gap-4 border-t-2 border-dashed border-line pt-5"><h2 class="text-xl">${escape(t('leaveTitle'))}</h2>${form(button(t('leave'), 'leave', 'button-secondary'))}</section>`
  return `${done}${gone}${head}${choices}${leaving}`
}

export const subscriptionTitle = ({ state }: Pick<SubscriptionView, 'state'>, language: Language) => {
  const titles = {
    pending: 'confirmTitle',
    expired: 'expiredTitle',
    active: 'activeTitle',
    paused: 'activeTitle',
    left: 'leftTitle',
  } as const
  return translator(subscriptionTexts, language)(titles[state])
}
