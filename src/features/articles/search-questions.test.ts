import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { otherLanguage } from '#src/lib/language/language.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { createSearch, sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App } from '#src/server/types.ts'
import { commonPairs } from './server/common-terms.ts'
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

/** Later ones, with the beginning of the French title of the article that answers. */
const laterQuestions: [question: string, language: Language, title: string][] = [
  ['on entend rien au bout de la ligne', 'fr', 'Mon téléphone est muet'],
  ['faire suivre mes appels pendant que je suis sur la route', 'fr', 'Renvoyer ses appels'],
  ['how do i record my out of hours voice message', 'en', 'Écouter sa boîte'],
  ['put someone on hold and add a third person', 'en', 'Transférer un appel'],
  ['echo and choppy calls', 'en', 'Mon interlocuteur'],
  ['répondre au téléphone depuis mon laptop', 'fr', 'Prendre ses appels'],
  ['besoin d’une deuxieme ligne', 'fr', 'Ajouter un poste'],
  ['message des fetes sur le repondeur du bureau', 'fr', 'Changer l’accueil'],
  ['configure outlook on iphone', 'en', 'Recevoir ses courriels'],
  ['customers say they wrote to me but nothing arrives', 'en', 'Je ne reçois plus'],
  ['plus de place dans outlook', 'fr', 'Ma boîte de courriel'],
  ['auto reply holidays', 'en', 'Mettre une réponse'],
  ['envoyer un pdf de 40 mo', 'fr', 'Une pièce jointe'],
  ['open the info@ mailbox', 'en', 'Lire le courriel'],
  ['mes soumissions tombent dans les spams', 'fr', 'Mes courriels arrivent'],
  ['my password expired and i cannot log in', 'en', 'Mot de passe oublié'],
  ['ou noter tous mes mots de passe', 'fr', 'Choisir de bons'],
  ['lost my 2fa codes with the old phone', 'en', 'Nouveau cellulaire'],
  ['arnaque par courriel comment savoir', 'fr', 'Message louche'],
  ['i entered my password on a fake site', 'en', 'J’ai cliqué'],
  ['popup windows defender appelez ce numero', 'fr', 'Une fenêtre'],
  ['ceo fraud wire transfer', 'en', 'Un fournisseur'],
  ['someone stole my tablet', 'en', 'J’ai perdu'],
  ['j’ai écrasé mon fichier par erreur', 'fr', 'Récupérer un fichier'],
  ['synchronisation bloquée nuage', 'fr', 'OneDrive'],
  ['do you keep copies of our server', 'en', 'Qu’est-ce qui'],
  ['router lights are red no connection', 'en', 'Plus d’Internet'],
  ['signal faible au sous-sol', 'fr', 'Le Wi-Fi est faible'],
  ['télétravail accès au serveur', 'fr', 'Se brancher'],
  ['windows wants to reboot all the time', 'en', 'Mises à jour'],
  ['le téléphone de la réception ne sonne plus', 'fr', 'Mon téléphone est muet'],
  ['send office calls to my personal number when i leave', 'en', 'Renvoyer ses appels'],
  ['comment je prends mes messages vocaux à distance', 'fr', 'Écouter sa boîte'],
  ['passer un client à la comptabilité', 'fr', 'Transférer un appel'],
  ['people say i sound like a robot on calls', 'en', 'Mon interlocuteur'],
  ['take business calls on my own cell', 'en', 'Prendre ses appels'],
  ['si j’appelle une ambulance de chez moi est-ce qu’ils savent où je suis', 'fr', 'Le 911'],
  ['new desk needs a phone', 'en', 'Ajouter un poste'],
  ['we are closed on friday change recorded message', 'en', 'Changer l’accueil'],
  ['mes emails sur mon nouveau samsung', 'fr', 'Recevoir ses courriels'],
  ['aucun nouveau message depuis hier dans ma boîte', 'fr', 'Je ne reçois plus'],
  ['quota exceeded mailbox', 'en', 'Ma boîte de courriel'],
  ['je pars en vacances deux semaines courriel', 'fr', 'Mettre une réponse'],
  ['attachment rejected too big', 'en', 'Une pièce jointe'],
  ['voir les courriels de julie pendant son congé de maternité', 'fr', 'Lire le courriel'],
  ['clients dont get our quotes they end up in junk', 'en', 'Mes courriels arrivent'],
  ['compte bloqué après trop d’essais', 'fr', 'Mot de passe oublié'],
  ['what makes a strong password', 'en', 'Choisir de bons'],
  ['mon code de connexion arrive sur mon ancien téléphone', 'fr', 'Nouveau cellulaire'],
  ['email from canada post asking for payment is it real', 'en', 'Message louche'],
  ['j’ai ouvert un fichier d’un inconnu', 'fr', 'J’ai cliqué'],
  ['microsoft support called me to fix my pc', 'en', 'Une fenêtre'],
  ['le fournisseur a changé ses coordonnées bancaires', 'fr', 'Un fournisseur'],
  ['oublié mon ordinateur dans le taxi', 'fr', 'J’ai perdu'],
  ['get back yesterday version of a spreadsheet', 'en', 'Récupérer un fichier'],
  ['give our auditor access to a folder', 'en', 'Partager un dossier'],
  ['impossible de modifier le document marie l’a ouvert', 'fr', 'Un fichier est verrouillé'],
  ['youtube rame et les téléchargements prennent une éternité', 'fr', 'Internet est lent'],
  ['paper stuck in the machine', 'en', 'L’imprimante n’imprime'],
  ['quelle est la date limite pour payer', 'fr', 'Comprendre sa facture'],
  ['plus de tonalité quand je décroche', 'fr', 'Mon téléphone est muet'],
  ['ring my cell when nobody is at the desk', 'en', 'Renvoyer ses appels'],
  ['nip de la boite vocale perdu', 'fr', 'Écouter sa boîte'],
  ['mettre quelqu’un en attente avec musique', 'fr', 'Transférer un appel'],
  ['my customer keeps asking me to repeat', 'en', 'Mon interlocuteur'],
  ['app pour recevoir les appels de l’entreprise', 'fr', 'Prendre ses appels'],
  ['calling 911 from a remote worker’s line', 'en', 'Le 911'],
  ['il nous faut un numéro 418 de plus', 'fr', 'Ajouter un poste'],
  ['snow day message on the main number', 'en', 'Changer l’accueil'],
  ['add my work email account to my phone', 'en', 'Recevoir ses courriels'],
  ['un fournisseur m’écrit mais je ne vois jamais ses messages', 'fr', 'Je ne reçois plus'],
  ['delete old mail to free space', 'en', 'Ma boîte de courriel'],
  ['tell people i am away until monday', 'en', 'Mettre une réponse'],
  ['photos trop lourdes à envoyer', 'fr', 'Une pièce jointe'],
  ['consulter info@ à plusieurs', 'fr', 'Lire le courriel'],
  ['our newsletters are flagged as spam', 'en', 'Mes courriels arrivent'],
  ['je ne me souviens plus de mon mot de passe windows', 'fr', 'Mot de passe oublié'],
  ['is it safe to save passwords in chrome', 'en', 'Choisir de bons'],
  ['authenticator on a new phone', 'en', 'Nouveau cellulaire'],
  ['texto de livraison avec un lien étrange', 'fr', 'Message louche'],
  ['opened a dodgy attachment what now', 'en', 'J’ai cliqué'],
  ['une page dit d’appeler microsoft tout de suite', 'fr', 'Une fenêtre'],
  ['invoice with new banking details', 'en', 'Un fournisseur'],
  ['vol dans mon auto mon portable a disparu', 'fr', 'J’ai perdu'],
  ['je veux ravoir le fichier d’avant mes changements', 'fr', 'Récupérer un fichier'],
  ['little red x on my files in the cloud', 'en', 'OneDrive'],
  ['how long do you keep backups', 'en', 'Qu’est-ce qui'],
  ['le wifi ne se rend pas dans l’entrepôt', 'fr', 'Le Wi-Fi est faible'],
  ['connect printer to macbook', 'en', 'Ajouter une imprimante'],
  ['engager quelqu’un lundi quoi préparer', 'fr', 'Accueillir ou retirer'],
  ['le combiné ne marche plus du tout', 'fr', 'Mon téléphone est muet'],
  ['rediriger la ligne principale vers mon mobile ce soir', 'fr', 'Renvoyer ses appels'],
  ['check voicemail from outside', 'en', 'Écouter sa boîte'],
  ['three way call how', 'en', 'Transférer un appel'],
  ['bad call quality since monday', 'en', 'Mon interlocuteur'],
  ['téléphone de bureau sur mon pc à la maison', 'fr', 'Prendre ses appels'],
  ['adresse du 911 après un déménagement', 'fr', 'Le 911'],
  ['order an extra phone line for reception', 'en', 'Ajouter un poste'],
  ['changer le menu vocal pour noël', 'fr', 'Changer l’accueil'],
  ['set up work mail on an ipad', 'en', 'Recevoir ses courriels'],
  ['pas reçu le courriel d’un client', 'fr', 'Je ne reçois plus'],
  ['my inbox says it is over its limit', 'en', 'Ma boîte de courriel'],
  ['avertir que je suis absent', 'fr', 'Mettre une réponse'],
  ['file too big to email', 'en', 'Une pièce jointe'],
  ['avoir accès aux courriels d’un ancien employé', 'fr', 'Lire le courriel'],
  ['mails go to spam at gmail users', 'en', 'Mes courriels arrivent'],
  ['reset windows login', 'en', 'Mot de passe oublié'],
  ['quel bon mot de passe prendre', 'fr', 'Choisir de bons'],
  ['j’ai perdu mes codes de validation', 'fr', 'Nouveau cellulaire'],
  ['is this message from the bank a scam', 'en', 'Message louche'],
  ['j’ai donné mon mot de passe à un faux site', 'fr', 'J’ai cliqué'],
  ['call from tech support saying i have a virus', 'en', 'Une fenêtre'],
  ['mon patron me demande des cartes iTunes', 'fr', 'Un fournisseur'],
  ['laptop stolen from the car', 'en', 'J’ai perdu'],
  ['retrouver un dossier disparu du serveur', 'fr', 'Récupérer un fichier'],
  ['envoyer un lien de dossier à un client', 'fr', 'Partager un dossier'],
  ['nothing works internet down whole office', 'en', 'Plus d’Internet'],
  ['wifi pour nos clients dans la salle d’attente', 'fr', 'Donner le Wi-Fi'],
  ['work from home connect to office files', 'en', 'Se brancher'],
  ['what does this line on my bill mean', 'en', 'Comprendre sa facture'],
]

const rows = await sampleRows()

const asked = [
  ...questions.map(([question, slug], index) => {
    const language: Language = index < 40 ? 'fr' : 'en'
    return { question, language, wanted: rows.find((row) => (language === 'fr' ? row.slug : row.slugEn).startsWith(slug)) }
  }),
  ...laterQuestions.map(([question, language, title]) => {
    return { question, language, wanted: rows.find((row) => row.title.startsWith(title)) }
  }),
]

/** The share of the questions whose article is among the first three; or where the articles lack the language of the question. */
async function shareFound(isOtherLanguage: boolean) {
  const missed: string[] = []
  for (const spoken of ['fr', 'en'] as const) {
    const search = searchOver(isOtherLanguage ? otherLanguage(spoken) : null)
    for (const { question, language, wanted } of asked.filter((one) => one.language === spoken)) {
      const found = await search.find(question, language, 3)
      if (!wanted) throw new Error(`no article answers ${question}`)
      if (!found.some(({ key }) => key === wanted.slug)) missed.push(question)
    }
  }
  return { share: 1 - missed.length / asked.length, missed }
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
