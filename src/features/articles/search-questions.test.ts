import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { createSearch, sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App } from '#src/server/types.ts'
import { commonPairs } from './server/search.ts'
import { sampleRows } from './server/service.ts'

/** Questions of small businesses, as they are typed, with the beginning of the address of the article that answers. */
const questions: [question: string, slug: string][] = [
  ['mon téléphone ne fait plus de son', 'mon-telephone-est-muet'],
  ['écran du téléphone noir', 'mon-telephone-est-muet'],
  ['renvoyer les appels du bureau sur mon cell', 'renvoyer-ses'],
  ['comment changer le message de la boite vocale', 'ecouter-sa-boite'],
  ['transferer un appel a un collegue', 'transferer-un-appel'],
  ['le client dit que ma voix est hachée', 'mon-interlocuteur'],
  ['installer softphone sur iphone', 'prendre-ses-appels'],
  ['911 adresse telephone ip', 'le-911'],
  ['nouveau poste telephonique pour un employé', 'ajouter-un-poste'],
  ['fermer les lignes pour la tempête', 'changer-l-accueil'],
  ['avoir mes courriels sur android', 'recevoir-ses-courriels'],
  ['je ne reçois pas de courriel', 'je-ne-recois'],
  ['boite courriel pleine', 'ma-boite-de-courriel'],
  ['message absence vacances outlook', 'mettre-une-reponse'],
  ['fichier trop gros pour envoyer', 'une-piece-jointe'],
  ['acces a la boite de ma collègue en congé', 'lire-le-courriel'],
  ['nos courriels tombent dans les pourriels', 'mes-courriels-arrivent'],
  ['mot de passe oublier', 'mot-de-passe-oublie'],
  ['gestionnaire de mots de passe', 'choisir-de-bons'],
  ['j’ai changé de cellulaire et l’authenticator ne marche plus', 'nouveau-cellulaire'],
  ['courriel suspect de la banque', 'message-louche'],
  ['j’ai cliqué sur un lien bizarre', 'j-ai-clique'],
  ['quelqu’un de microsoft m’appelle pour un virus', 'une-fenetre-ou-un-appel'],
  ['facture avec nouveau compte bancaire du fournisseur', 'un-fournisseur'],
  ['portable volé', 'j-ai-perdu'],
  ['recuperer un document supprimé', 'recuperer-un-fichier'],
  ['partager un dossier avec mon comptable', 'partager-un-dossier'],
  ['onedrive croix rouge', 'onedrive'],
  ['backup de quoi et combien de temps', 'qu-est-ce-qui'],
  ['excel verrouillé par un autre utilisateur', 'un-fichier-est-verrouille'],
  ['pas d’internet', 'plus-d-internet'],
  ['internet lent', 'internet-est-lent'],
  ['mot de passe wifi pour un visiteur', 'donner-le-wi-fi'],
  ['wifi coupe dans la salle de réunion', 'le-wi-fi-est-faible'],
  ['vpn maison', 'se-brancher'],
  ['imprimente hors ligne', 'l-imprimante'],
  ['ajouter imprimante mac', 'ajouter-une-imprimante'],
  ['numerisation courriel ne marche pas', 'numeriser'],
  ['ordi gelé', 'mon-ordinateur-est-lent'],
  ['camera teams noire', 'le-micro'],
  ['my desk phone is dead', 'my-phone-has'],
  ['forward calls to mobile', 'forward-your'],
  ['voicemail greeting vacation', 'listen-to-your'],
  ['park a call', 'transfer-a-call'],
  ['mailbox is full', 'my-mailbox'],
  ['out of office reply', 'set-an-out'],
  ['send a large video by email', 'an-attachment'],
  ['reset my password', 'forgotten'],
  ['is this email phishing', 'suspicious'],
  ['I clicked a bad link', 'i-clicked'],
  ['boss wants gift cards', 'a-supplier'],
  ['undelete a file', 'recover-a-deleted'],
  ['guest wireless', 'give-visitors'],
  ['slow laptop', 'my-computer'],
  ['printer jam', 'the-printer'],
  ['moving to a new office', 'move-your-office'],
  ['onboarding a new hire', 'welcome-or'],
  ['why is my invoice higher', 'understand'],
  ['opening hours on weekends', 'our-hours'],
  ['status of my ticket', 'follow-your'],
]

const rows = await sampleRows()

/** The share of the questions whose article is among the first three; or where the articles lack the language of the question. */
async function shareFound(isOtherLanguage: boolean) {
  const missed: string[] = []
  for (const language of ['fr', 'en'] as const) {
    const asked = questions.filter((_, index) => index < 40 === (language === 'fr'))
    const keep: Language = isOtherLanguage === (language === 'fr') ? 'en' : 'fr'
    const search = searchOver(isOtherLanguage ? keep : null)
    for (const [question, slug] of asked) {
      const found = await search.find(question, language, 3)
      const wanted = rows.find((row) => (language === 'fr' ? row.slug : row.slugEn).startsWith(slug))
      if (!wanted) throw new Error(`no article at ${slug}`)
      if (!found.some(({ key }) => key === wanted.slug)) missed.push(question)
    }
  }
  return { share: 1 - missed.length / questions.length, missed }
}

function searchOver(only: Language | null) {
  const changed = new EventEmitter()
  const text = (language: Language, value: string) => (only === null || only === language ? value : '')
  const entries = rows.map((row) => ({
    key: row.slug,
    kind: 'article',
    title: { fr: text('fr', row.title), en: text('en', row.titleEn) },
    keywords: { fr: text('fr', row.keywords), en: text('en', row.keywordsEn) },
    text: { fr: text('fr', textOfHtml(row.body)), en: text('en', textOfHtml(row.bodyEn)) },
    url: sameUrl(`/aide/${row.slug}`),
  }))
  const app = { events: { onChanged: (listener: () => void) => changed.on('changed', listener) } }
  return createSearch(app as unknown as App, [
    { ...wholeSource(['articles'], async () => entries), findPairs: async () => commonPairs },
  ])
}

test('the right article is among the first three for nine questions in ten', async () => {
  const { share, missed } = await shareFound(false)
  expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
})

test('nine in ten are found where the articles exist in the other language alone', async () => {
  const { share, missed } = await shareFound(true)
  expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
})
