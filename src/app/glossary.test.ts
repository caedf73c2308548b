import { globSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import type { InterfaceText } from './testing/interface-texts.ts'
import { findServerTexts, findTexts } from './testing/interface-texts.ts'

type Term = readonly [banned: RegExp, use: string]

/** One concept, one term: banned patterns, with the term to use. */
const terms: Record<Language, readonly Term[]> = {
  fr: [
    [/\bchats?\b(?! endormi)|(?<!npx )guichet/i, 'clavardage'],
    [/\bun clavardage\b|\bclavardages\b/i, 'conversation'],
    [/\bles miens\b/i, 'les miennes'],
    [/réclam|m’en occupe/i, 'prendre en charge'],
    [/\bremettre\b(?! en )|\bremettez\b/i, 'transférer'],
    [/remettre en place|remise en place/i, 'restaurer'],
    [/réponses? prêtes?/i, 'réponse prédéfinie'],
    [/appréciation/i, 'évaluation'],
    [/chiffres du /i, 'statistiques'],
    [/\bréglée?s?\b/i, 'résolue'],
    [/tableau de bord/i, 'comptoir'],
    [/\bcompagnie/i, 'Entreprise'],
    [/code rouge|bandeau rouge/i, 'bandeau d’urgence'],
    [/information de l’accueil/i, 'panneau d’information'],
    [/préven(?:ir|ez)|averti[rst]?\b/i, 'aviser'],
    [/\bjournal\b(?! d’audit)/i, 'journal d’audit'],
    [/double authentification|(?<!authentification à )deux facteurs|\b2FA\b/i, 'authentification à deux facteurs (A2F)'],
    [/essais d[e’] ?(?:double|A2F)/i, 'tentatives d’A2F'],
    [/\blog(?:in|off)\b/i, 'se connecter, se déconnecter'],
    [/\benregistrer\b|\benregistrez\b/i, 'sauvegarder'],
    [/\b(?:vos|nos|les|des|aucune) sauvegardes?\b/i, 'copie de sécurité'],
    [/\bgardée?s?\b/i, 'conserver'],
    [/données personnelles/i, 'renseignements personnels'],
    [/d’où/i, 'adresse IP'],
    [/s’occupe du serveur/i, 'responsable du serveur'],
  ],
  en: [
    [/\bthe counter\b/i, 'live chat'],
    [/\ba chat\b(?! \w)|\bchats\b/i, 'conversation'],
    [/\bwaiting line\b|\bin line\b/i, 'queue'],
    [/\bclaim(?:s|ed)?\b|\bI take it\b/i, 'assign to me; assigned to'],
    [/\bhanded\b|\bput away\b/i, 'transfer'],
    [/canned repl/i, 'canned response'],
    [/\bfigures\b/i, 'reports'],
    [/dashboard/i, 'counter'],
    [/red code|red banner/i, 'emergency banner'],
    [/home information/i, 'information panel'],
    [/under way|out of order/i, 'outage; in progress'],
    [/\bplanned\b|\bto come\b/i, 'scheduled'],
    [/\btold\b|\bwarned\b/i, 'notify'],
    [/\bjournal\b/i, 'audit log'],
    [/\bput back\b|\btake it back\b/i, 'restore'],
    [/system state/i, 'system health'],
    [/\blogin\b|(?<!audit )\blog in\b|\blogoff\b/i, 'sign in, sign out'],
    [/kept for/i, 'retention period; keep'],
    [/privacy incident/i, 'confidentiality incident'],
    [/\bharm\b/i, 'injury'],
    [/personal data/i, 'personal information'],
    [/\belements?\b/i, 'component'],
    [/from where/i, 'IP address'],
    [/looks? after/i, 'server administrator'],
    // American English.
    [/e-mail/i, 'email'],
    [/\buser names?\b/i, 'username'],
    [/telephone/i, 'phone'],
    [/colour/i, 'color'],
    [/\bcentre\b/i, 'center'],
    [/\bfibre/i, 'fiber'],
    [/licence/i, 'license'],
    [/cancelled/i, 'canceled'],
    [/week-end/i, 'weekend'],
    [/cyber-security/i, 'cybersecurity'],
    [/for instance/i, 'for example'],
    [/Québec City/, 'Quebec City'],
  ],
}

/** Texts that the specification fixes, by requirement. */
const specified: { text: RegExp; why: string }[] = [
  { text: /^Login$/, why: 'R-91: the button of the login form' },
  { text: /^(?:Bandeau rouge affiché|Red banner at the top) /, why: 'R-89: the red banner; the hint says what it looks like' },
]

const isFree = ({ text }: InterfaceText) => specified.some((one) => one.text.test(text))
const faultsIn = (texts: InterfaceText[]) =>
  texts
    .filter((one) => !isFree(one))
    .flatMap(({ file, key, language, text }) =>
      terms[language]
        .filter(([banned]) => banned.test(text))
        .map(([banned, use]) => `${file} ${key} (${language}): “${banned.exec(text)?.[0]}”, say “${use}”: ${text}`),
    )

// Every text and identifier of the product is read, which takes seconds.
vi.setConfig({ testTimeout: 120_000 })

test('reports a banned term with the word to use', () => {
  const text = { file: 'texts.ts', key: 'texts.save', language: 'fr', text: 'Vos sauvegardes sont au journal.' } as const
  expect(faultsIn([text]).map((fault) => fault.replace(/: Vos.*/, ''))).toEqual([
    'texts.ts texts.save (fr): “journal”, say “journal d’audit”',
    'texts.ts texts.save (fr): “Vos sauvegardes”, say “copie de sécurité”',
  ])
})

test('interface texts and mails use the terms of the glossary', async () => {
  // The company's own texts are free; the gallery exists in development only.
  const own = new Set((await findTexts('company/*.ts')).map(({ text }) => text))
  const texts = await findTexts('src/{app,features,lib,ui}/**/*.{ts,tsx}')
  expect(texts.length).toBeGreaterThan(2_000)
  expect(faultsIn(texts.filter(({ file, text }) => !file.includes('/gallery/') && !own.has(text)))).toEqual([])
})

test('messages of the API and the commands use them too', () => {
  const texts = findServerTexts('{src/**/server,src/server,scripts}/**/!(lint-*).ts')
  expect(texts.length).toBeGreaterThan(100)
  expect(faultsIn(texts)).toEqual([])
})

/** Names that mean nothing to a new reader. A name joins this list once the code is free of it. */
const names: readonly Term[] = [
  [/^keepMine$/, 'keepOwnChanges'],
  [/^takeTheirs$/, 'loadSavedVersion'],
  [/^wordsOf$/, 'textOf'],
  [/^(?:share|stored?)Answers?$|^StoredAnswers?$/, 'response'],
  [/^FormAnswer$/, 'FormResult'],
  [/^Kept\w+/, 'cached, stored'],
  [/^\w*HeldData$/, 'personal data'],
  [/^giveCode$/, 'submitCode'],
  [/^askForgotten$/, 'request'],
]

/** The same for a word of a name: `tellsChat` as well as `tells`. */
const nameParts: readonly Term[] = [
  [/^tells$/, 'notify, publish, emit'],
  [/^said$/, 'sent, text, message'],
  [/^desk$/, 'what it holds, such as SenderDeps'],
  [/^talk$/, 'dispatch'],
  [/^moments$/, 'timers'],
  [/^hints$/, 'receipts'],
  [/^farewell$/, 'disconnect'],
  [/^sentence$/, 'text, message'],
  [/^hangup$|^comeback$/, 'disconnect, reconnect'],
]

const partsOf = (name: string) =>
  [name.replaceAll(/[_$]/g, ''), ...(name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])].map((part) => part.toLowerCase())

/** The identifiers of a source, without its comments and strings. */
function identifiersIn(source: string) {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))]
}

const faultsOf = (name: string) => [
  ...names.filter(([banned]) => banned.test(name)),
  ...nameParts.filter(([banned]) => partsOf(name).some((part) => banned.test(part))),
]

test('identifiers use the field’s terms', () => {
  expect(['chatDesk', 'hangUp', 'TELLS_IT', 'keepMine'].map((name) => faultsOf(name).length)).toEqual([1, 1, 1, 1])
  expect(['visitor', 'desktop', 'hint', 'keepMinePlus'].flatMap(faultsOf)).toEqual([])
  const faults = globSync('src/**/*.{ts,tsx}')
    .filter((file) => file !== 'src/app/glossary.test.ts')
    .flatMap((file) =>
      identifiersIn(readFileSync(file, 'utf8')).flatMap((name) =>
        faultsOf(name).map(([, use]) => `${file}: ${name}, say ${use}`),
      ),
    )
  expect(faults).toEqual([])
})
