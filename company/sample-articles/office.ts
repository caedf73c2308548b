import type { SampleArticle } from './all.ts'

export const officeArticles: SampleArticle[] = [
  {
    categorie: 'impression',
    titre: 'L’imprimante n’imprime plus',
    titre_en: 'The printer does not print anymore',
    mots_cles: 'imprimante hors ligne, bourrage, file d’impression, spouleur, cartouche, toner, papier',
    mots_cles_en: 'printer offline, paper jam, print queue, spooler, cartridge, toner, stuck job',
    corps: `<ol><li>Lisez l'écran de l'imprimante : papier, toner, porte ouverte ou bourrage. Retirez le papier coincé dans le sens de son trajet, sans le déchirer.<li>Éteignez-la dix secondes et rallumez-la. Attendez qu'elle soit prête.<li>Sur l'ordinateur, ouvrez la file d'impression : supprimez le document en erreur, qui bloque tous les autres.<li>Vérifiez qu'il s'agit de la bonne imprimante, et qu'elle n'est ni « Hors connexion » ni en pause.<li>Redémarrez l'ordinateur.</ol>
<h3>Tout le monde est touché</h3>
<p>L'imprimante a peut-être perdu le réseau : débranchez et rebranchez son câble. Imprimez sa page de configuration depuis son menu et gardez-la pour nous.
<h3>Seulement vous</h3>
<p><a href="/aide/ajouter-une-imprimante-a-son-ordinateur">Ajoutez l'imprimante de nouveau</a>. Sinon, faites un <a href="/appel-de-service">appel de service</a> avec le nom inscrit sur l'appareil et le message affiché.`,
    corps_en: `<ol><li>Read the printer’s screen: paper, toner, open door or paper jam. Remove jammed paper in the direction it travels, without tearing it.<li>Turn it off for ten seconds and on again. Wait until it is ready.<li>On the computer, open the print queue: delete the document in error, which blocks all the others.<li>Check that it is the right printer, and that it is neither “Offline” nor paused.<li>Restart the computer.</ol>
<h3>Everyone is affected</h3>
<p>The printer may have lost the network: unplug and plug in its cable. Print its configuration page from its menu and keep it for us.
<h3>Only you</h3>
<p><a href="/aide/add-a-printer-to-your-computer">Add the printer again</a>. Otherwise, place a <a href="/appel-de-service">service call</a> with the name on the device and the message shown.`,
  },
  {
    categorie: 'impression',
    titre: 'Ajouter une imprimante à son ordinateur',
    titre_en: 'Add a printer to your computer',
    mots_cles: 'installer, pilote, imprimante réseau, imprimante par défaut, Mac, Windows',
    mots_cles_en: 'install, driver, network printer, default printer, Mac, Windows',
    corps: `<h3>Windows</h3>
<ol><li>Ouvrez Paramètres, puis Bluetooth et appareils, puis Imprimantes et scanneurs.<li>Cliquez sur Ajouter un appareil et choisissez le nom inscrit sur l'étiquette de l'imprimante.<li>Imprimez une page de test.</ol>
<h3>Mac</h3>
<ol><li>Ouvrez Réglages Système, puis Imprimantes et scanners.<li>Cliquez sur Ajouter une imprimante et choisissez-la dans la liste.</ol>
<h3>Elle n'est pas dans la liste</h3>
<ul><li>Êtes-vous sur le réseau du bureau, et non sur celui des visiteurs?<li>Est-elle allumée?<li>Au travail, elle vient parfois du serveur d'impression : nous l'ajoutons à distance en cinq minutes.</ul>
<p>Windows change d'imprimante tout seul? Dans la même page, désactivez « Laisser Windows gérer mon imprimante par défaut ».`,
    corps_en: `<h3>Windows</h3>
<ol><li>Open Settings, then Bluetooth and devices, then Printers and scanners.<li>Select Add device and choose the name on the printer’s label.<li>Print a test page.</ol>
<h3>Mac</h3>
<ol><li>Open System Settings, then Printers and Scanners.<li>Select Add Printer and choose it in the list.</ol>
<h3>It is not in the list</h3>
<ul><li>Are you on the office network, and not on the visitors’ one?<li>Is it on?<li>At work it sometimes comes from the print server: we add it remotely in five minutes.</ul>
<p>Windows changes printers by itself? On the same page, turn off “Let Windows manage my default printer”.`,
  },
  {
    categorie: 'impression',
    titre: 'Numériser vers son courriel ou un dossier',
    titre_en: 'Scan to your email or to a folder',
    mots_cles: 'scanner, scan, PDF, numérisation, multifonction, copieur, carnet d’adresses',
    mots_cles_en: 'scanner, PDF, scanning, multifunction, copier, address book',
    corps: `<ol><li>Placez les feuilles dans le chargeur, face vers le haut, ou une page sur la vitre.<li>Sur l'écran, choisissez Numériser, puis Courriel ou Dossier.<li>Choisissez votre nom dans le carnet d'adresses.<li>Réglez : PDF, 300 ppp, recto verso. La couleur double la taille du fichier.<li>Appuyez sur Démarrer. Le fichier arrive en une ou deux minutes.</ol>
<h3>Rien n'arrive</h3>
<ul><li>Regardez les indésirables, puis le dossier partagé Numérisations.<li>L'écran affiche une erreur de connexion ou d'authentification? Le mot de passe de l'appareil a souvent expiré : faites un <a href="/appel-de-service">appel de service</a> avec le texte exact.<li>Plus de 20 Mo? Numérisez vers le dossier plutôt que vers le courriel.</ul>
<p>Un nouveau collègue n'est pas dans le carnet d'adresses : nous l'ajoutons. Pour une seule feuille, l'appareil photo du cellulaire et l'application OneDrive font un très bon PDF.`,
    corps_en: `<ol><li>Place the sheets in the feeder, face up, or one page on the glass.<li>On the screen, choose Scan, then Email or Folder.<li>Choose your name in the address book.<li>Set: PDF, 300 dpi, both sides. Color doubles the size of the file.<li>Press Start. The file arrives in a minute or two.</ol>
<h3>Nothing arrives</h3>
<ul><li>Look in Junk, then in the shared folder Numérisations.<li>The screen shows a connection or authentication error? The password of the device has often expired: place a <a href="/appel-de-service">service call</a> with the exact text.<li>Over 20 MB? Scan to the folder rather than to email.</ul>
<p>A new colleague is not in the address book: we add them. For a single sheet, the camera of your cell phone and the OneDrive app make a very good PDF.`,
  },
  {
    categorie: 'postes',
    titre: 'Mon ordinateur est lent',
    titre_en: 'My computer is slow',
    mots_cles: 'lenteur, gelé, figé, redémarrer, mémoire, disque plein, ventilateur, ça rame, PC',
    mots_cles_en: 'slowness, frozen, hangs, restart, memory, disk full, fan, lag, PC, laptop',
    corps: `<ol><li><strong>Redémarrez</strong>, par Redémarrer et non Arrêter : sous Windows, seul Redémarrer repart à neuf.<li>Laissez finir les mises à jour : voyez <a href="/aide/mises-a-jour-et-redemarrages">Mises à jour et redémarrages</a>.<li>Fermez les onglets et programmes inutiles. Trente onglets valent un gros logiciel.<li>Ouvrez le Gestionnaire des tâches (Ctrl+Maj+Échap) et triez par Mémoire, puis par Processeur : notez le premier nom.<li>Vérifiez l'espace du disque : il faut au moins 15 % de libre. Videz la corbeille et les téléchargements.</ol>
<h3>C'est Internet, ou l'ordinateur?</h3>
<p>Si ouvrir un dossier ou un document local est rapide, c'est la connexion : <a href="/aide/internet-est-lent-au-bureau">Internet est lent au bureau</a>.
<h3>Appelez-nous</h3>
<p>si c'est soudain et qu'un programme inconnu est en tête, si le disque fait du bruit, ou si des fenêtres paraissent toutes seules. Un ordinateur de plus de cinq ans gagne souvent plus à être remplacé.`,
    corps_en: `<ol><li><strong>Restart</strong>, with Restart and not Shut down: in Windows only Restart starts afresh.<li>Let updates finish: see <a href="/aide/updates-and-restarts">Updates and restarts</a>.<li>Close the tabs and programs that you do not need. Thirty tabs weigh as much as a large program.<li>Open Task Manager (Ctrl+Shift+Esc) and sort by Memory, then by CPU: note the first name.<li>Check the disk space: at least 15% must be free. Empty the recycle bin and your downloads.</ol>
<h3>Is it the Internet, or the computer?</h3>
<p>If opening a local folder or document is fast, it is the connection: <a href="/aide/the-internet-is-slow-at-the-office">The Internet is slow at the office</a>.
<h3>Call us</h3>
<p>if it is sudden and an unknown program comes first, if the disk makes noise, or if windows appear by themselves. A computer over five years old is often better replaced.`,
  },
  {
    categorie: 'postes',
    titre: 'Mises à jour et redémarrages',
    titre_en: 'Updates and restarts',
    mots_cles: 'Windows Update, mise à jour, redémarrage, correctifs, installation, éteindre le soir',
    mots_cles_en: 'Windows Update, restart, patches, installing, shut down at night, reboot',
    corps: `<p>La plupart des attaques passent par une faille corrigée depuis des mois. Les mises à jour ferment la porte.
<h3>Comment cela se passe</h3>
<ul><li>Elles s'installent la nuit du mardi au mercredi. Laissez l'ordinateur allumé, session verrouillée, portable branché.<li>Un avis paraît deux jours avant un redémarrage obligé : choisissez votre heure.<li>Les serveurs redémarrent le dimanche, entre 2 h et 5 h. Tout entretien prévu est annoncé sur l'<a href="/reseau">état du réseau</a>.</ul>
<h3>L'écran dit « Ne pas éteindre »</h3>
<p>Attendez. Une grosse mise à jour prend parfois une heure. Après deux heures sans que le pourcentage bouge, appelez-nous avant d'appuyer sur le bouton.
<h3>Quelque chose ne marche plus depuis ce matin</h3>
<p>Dites-nous quoi, et que c'est depuis la mise à jour : nous pouvons la retirer. Cellulaires et tablettes doivent être mis à jour aussi.`,
    corps_en: `<p>Most attacks use a flaw that was fixed months ago. Updates close the door.
<h3>How it goes</h3>
<ul><li>They are installed on the night from Tuesday to Wednesday. Leave the computer on, locked, laptop plugged in.<li>A notice appears two days before a required restart: choose your time.<li>Servers restart on Sunday, between 2 AM and 5 AM. All scheduled maintenance is announced on the <a href="/reseau">network status</a>.</ul>
<h3>The screen says “Do not turn off”</h3>
<p>Wait. A large update sometimes takes an hour. After two hours without a change of the percentage, call us before you press the button.
<h3>Something has not worked since this morning</h3>
<p>Tell us what, and that it is since the update: we can remove it. Cell phones and tablets need updates too.`,
  },
  {
    categorie: 'postes',
    titre: 'Le micro ou la caméra ne marche pas en visioconférence',
    titre_en: 'The microphone or camera does not work in a video meeting',
    mots_cles: 'Teams, Zoom, webcam, casque, on ne m’entend pas, image noire, réunion en ligne',
    mots_cles_en: 'Teams, Zoom, webcam, headset, nobody hears me, black image, online meeting',
    corps: `<h3>Deux minutes avant la réunion</h3>
<ol><li>Dans Teams ou Zoom, ouvrez les paramètres de l'appareil et choisissez le bon micro, le bon haut-parleur et la bonne caméra. Le casque débranché hier y est parfois encore.<li>Faites l'appel de test.<li>Vérifiez l'interrupteur du casque, et le volet devant l'objectif de la caméra.</ol>
<h3>L'image reste noire</h3>
<ul><li>Une autre application tient la caméra : fermez-la. Une seule à la fois peut l'utiliser.<li>Windows : Paramètres, Confidentialité, Caméra (et Microphone) : permettez l'accès aux applications. Mac : Réglages Système, Confidentialité et sécurité.<li>Dans un navigateur : le cadenas à gauche de l'adresse, puis Autoriser.</ul>
<h3>On vous entend avec de l'écho</h3>
<p>Deux appareils de la même pièce sont dans la réunion : coupez le son de l'un. En dernier recours, joignez-vous par téléphone : le numéro est dans l'invitation.`,
    corps_en: `<h3>Two minutes before the meeting</h3>
<ol><li>In Teams or Zoom, open the device settings and choose the right microphone, speaker and camera. The headset unplugged yesterday is sometimes still there.<li>Make the test call.<li>Check the switch of the headset, and the shutter in front of the camera.</ol>
<h3>The picture stays black</h3>
<ul><li>Another app holds the camera: close it. Only one at a time can use it.<li>Windows: Settings, Privacy, Camera (and Microphone): allow apps. Mac: System Settings, Privacy and Security.<li>In a browser: the padlock to the left of the address, then Allow.</ul>
<h3>They hear you with an echo</h3>
<p>Two devices of the same room are in the meeting: mute one. As a last resort, join by phone: the number is in the invitation.`,
  },
  {
    categorie: 'demenagement',
    titre: 'Déménager ses bureaux : la liste du côté informatique et téléphonie',
    titre_en: 'Move your office: the IT and phone checklist',
    mots_cles: 'déménagement, nouveau local, fibre, câblage, armoire réseau, changement d’adresse',
    mots_cles_en: 'office move, relocation, new premises, fiber, cabling, network cabinet, change of address',
    corps: `<h3>Trois mois avant</h3>
<ul><li>Appelez-nous avant de signer le bail : nous vérifions si la fibre se rend à l'immeuble. C'est ce qui prend le plus de temps, de 6 à 12 semaines.<li>Faites un plan : postes de travail, téléphones, imprimantes, bornes Wi-Fi, caméras, armoire réseau ventilée et fermée à clé.</ul>
<h3>Un mois avant</h3>
<ul><li>Câblage posé et vérifié, deux prises par poste.<li>Date fixée avec nous, de préférence un vendredi après-midi.<li>Nouvelle adresse au dossier du <a href="/aide/le-911-et-votre-telephone-ip">911</a>.</ul>
<h3>La veille</h3>
<ul><li>Étiquetez chaque appareil et ses câbles au nom de la personne. Prenez des photos.<li>Copie de sécurité vérifiée, que nous lançons nous-mêmes.<li><a href="/aide/renvoyer-ses-appels-vers-un-cellulaire">Renvoi des appels</a> prêt.</ul>
<h3>Le jour même</h3>
<p>Les serveurs voyagent avec nous, pas avec les meubles. Un technicien reste jusqu'à ce que chacun imprime et téléphone. Pour commencer, faites un <a href="/appel-de-service">appel de service</a> avec les deux adresses et la date.`,
    corps_en: `<h3>Three months before</h3>
<ul><li>Call us before you sign the lease: we check whether fiber reaches the building. It takes the longest, 6 to 12 weeks.<li>Draw a plan: workstations, phones, printers, Wi-Fi access points, cameras, a ventilated and locked network cabinet.</ul>
<h3>One month before</h3>
<ul><li>Cabling installed and tested, two outlets for each workstation.<li>Date set with us, preferably a Friday afternoon.<li>New address on file for <a href="/aide/911-and-your-ip-phone">911</a>.</ul>
<h3>The day before</h3>
<ul><li>Label each device and its cables with the person’s name. Take photos.<li>A verified backup, which we start ourselves.<li><a href="/aide/forward-your-calls-to-a-cell-phone">Call forwarding</a> ready.</ul>
<h3>On the day</h3>
<p>Servers travel with us, not with the furniture. A technician stays until everybody prints and phones. To start, place a <a href="/appel-de-service">service call</a> with both addresses and the date.`,
  },
  {
    categorie: 'demenagement',
    titre: 'Accueillir ou retirer un employé',
    titre_en: 'Welcome or remove an employee',
    mots_cles: 'nouvel employé, embauche, arrivée, départ, compte, licence, fermer un accès, accès',
    mots_cles_en: 'new employee, hire, onboarding, offboarding, leaving, account, license, close access',
    corps: `<h3>Une arrivée : cinq jours ouvrables d'avance</h3>
<p>Dans l'<a href="/appel-de-service">appel de service</a>, donnez :
<ul><li>nom, titre, date d'arrivée et responsable;<li>à qui la personne ressemble : « les mêmes accès que Julie, sauf la paie »;<li>ordinateur neuf ou existant, téléphone, cellulaire;<li>boîtes partagées, imprimante, clé ou carte.</ul>
<p>Le premier matin, la personne reçoit son mot de passe de vive voix, le change, et active l'authentification à deux facteurs.
<h3>Un départ : avant la rencontre, pas après</h3>
<ol><li>Appelez-nous; ne l'écrivez pas dans une boîte que la personne lit.<li>Donnez l'heure exacte : nous fermons tous les accès à ce moment.<li>Décidez qui reçoit son courriel et ses fichiers, et jusqu'à quand.<li>Récupérez portable, cellulaire, clés et cartes.<li>Changez les mots de passe communs qu'elle connaissait : site Web, réseaux sociaux, banque, alarme.</ol>`,
    corps_en: `<h3>A newcomer: five business days ahead</h3>
<p>In the <a href="/appel-de-service">service call</a>, give:
<ul><li>name, title, start date and manager;<li>whom the person resembles: “the same access as Julie, except payroll”;<li>new or existing computer, phone, cell phone;<li>shared mailboxes, printer, key or card.</ul>
<p>On the first morning the person receives their password by voice, changes it, and turns on two-factor authentication.
<h3>A departure: before the meeting, not after</h3>
<ol><li>Call us; do not write it in a mailbox that the person reads.<li>Give the exact time: we close all access at that moment.<li>Decide who gets their email and files, and until when.<li>Get back the laptop, cell phone, keys and cards.<li>Change the shared passwords they knew: website, social networks, bank, alarm.</ol>`,
  },
  {
    categorie: 'facturation',
    titre: 'Comprendre sa facture',
    titre_en: 'Understand your invoice',
    mots_cles: 'paiement, prix, frais, mensuel, prorata, solde, relevé, taxes, carte de crédit, prélèvement',
    mots_cles_en: 'payment, billing, price, fees, monthly, prorated, balance, statement, taxes, credit card',
    corps: `<h3>Trois parties</h3>
<ul><li><strong>Mensualités</strong> : facturées d'avance, pour le mois qui vient (postes, boîtes, copies de sécurité, soutien).<li><strong>Utilisation</strong> : le mois passé (interurbains, espace supplémentaire).<li><strong>Interventions</strong> : chacune porte le numéro de demande, la date et la durée.</ul>
<h3>Le montant a changé</h3>
<ol><li>Un ajout en cours de mois paraît deux fois : au prorata des jours écoulés, puis le mois d'avance.<li>Comparez le nombre de postes et de licences avec la facture d'avant.<li>Cherchez le numéro de demande de l'intervention dans vos courriels.</ol>
<h3>Payer ou contester</h3>
<p>La date limite est en haut à droite; les façons de payer, au bas. Un montant vous paraît faux? <a href="/contact">Écrivez-nous</a> avec le numéro de facture avant la date limite : cette ligne est suspendue pendant que nous vérifions. Nos coordonnées bancaires ne changent jamais par courriel : voyez <a href="/aide/un-fournisseur-ou-le-patron-demande-un-virement-ou-change-de-compte-bancaire">la fraude du faux fournisseur</a>.`,
    corps_en: `<h3>Three parts</h3>
<ul><li><strong>Monthly fees</strong>: billed ahead, for the coming month (extensions, mailboxes, backups, support).<li><strong>Usage</strong>: the past month (long distance, extra storage).<li><strong>Service work</strong>: each item has its request number, date and duration.</ul>
<h3>The amount has changed</h3>
<ol><li>Something added during the month appears twice: prorated for the days elapsed, then the month ahead.<li>Compare the number of extensions and licenses with the invoice before.<li>Search your emails for the request number of the service work.</ol>
<h3>Pay or dispute</h3>
<p>The due date is at the top right; the ways to pay, at the bottom. An amount looks wrong? <a href="/contact">Write to us</a> with the invoice number before the due date: that line is put on hold while we check. Our bank details never change by email: see <a href="/aide/a-supplier-or-the-boss-asks-for-a-transfer-or-changes-bank-accounts">the fake supplier fraud</a>.`,
  },
  {
    categorie: 'facturation',
    titre: 'Nos heures, et quoi faire en cas d’urgence',
    titre_en: 'Our hours, and what to do in an emergency',
    mots_cles: 'heures d’ouverture, ouvert, fermé, fin de semaine, nuit, jour férié, soutien 24/7, urgence, téléphone',
    mots_cles_en: 'opening hours, open, closed, weekend, night, holiday, 24/7 support, emergency, phone number',
    corps: `<p>Les heures du jour, les congés et la prochaine ouverture sont toujours à jour au bas de chaque page et sur la page <a href="/contact">Contact</a>.
<h3>Choisir le bon chemin</h3>
<ul><li><strong>Urgence, jour et nuit</strong> : le téléphone. Serveur ou Internet en panne pour tous, téléphones muets, compte piraté, vol d'un appareil.<li><strong>Une question rapide</strong> : le clavardage, pendant les heures d'ouverture.<li><strong>Tout le reste</strong> : l'<a href="/appel-de-service">appel de service</a> en ligne, à toute heure. Il est traité le prochain jour ouvrable.</ul>
<h3>Avant d'appeler la nuit</h3>
<ol><li>Regardez l'<a href="/reseau">état du réseau</a> : si la panne y est, nous y travaillons déjà.<li>Ayez votre nom, l'entreprise, un numéro où vous joindre et ce que montre l'écran.</ol>
<p>Une intervention hors des heures peut être facturée selon votre contrat; le technicien vous le dit avant de commencer.`,
    corps_en: `<p>Today’s hours, holidays and the next opening are always up to date at the bottom of each page and on the <a href="/contact">Contact</a> page.
<h3>Choose the right way</h3>
<ul><li><strong>Emergency, day and night</strong>: the phone. Server or Internet down for everyone, silent phones, hacked account, stolen device.<li><strong>A quick question</strong>: live chat, during opening hours.<li><strong>Everything else</strong>: the online <a href="/appel-de-service">service call</a>, at any time. It is handled on the next business day.</ul>
<h3>Before you call at night</h3>
<ol><li>Look at the <a href="/reseau">network status</a>: if the outage is there, we are already working on it.<li>Have your name, company, a number to reach you and what the screen shows.</ol>
<p>Work outside the hours may be billed according to your contract; the technician tells you before they start.`,
  },
  {
    categorie: 'facturation',
    titre: 'Suivre sa demande ou y ajouter une information',
    titre_en: 'Follow your request or add information to it',
    mots_cles: 'numéro de demande, statut, où en est, relance, billet, ticket, AS-2026',
    mots_cles_en: 'request number, status, progress, follow-up, ticket, AS-2026',
    corps: `<p>Chaque demande a un numéro, comme AS-2026-000123. Il est dans l'accusé de réception envoyé par courriel.
<h3>Voir où elle en est</h3>
<p>Cliquez sur le lien de ce courriel : la page montre les étapes, les réponses et ce que nous attendons de vous. Le lien est personnel; ne le transférez qu'à quelqu'un qui peut tout lire.
<h3>Ajouter une information ou une photo</h3>
<ul><li>Répondez au courriel, sans changer l'objet; ou<li>écrivez sur la page de la demande, où l'on peut aussi joindre des fichiers.</ul>
<p>N'envoyez pas une deuxième demande pour la même chose : les deux se suivraient sans se voir.
<h3>Pas d'accusé de réception?</h3>
<p>Regardez dans les indésirables. S'il n'y est pas, l'adresse entrée était peut-être fausse : appelez-nous, et nous retrouvons la demande par votre nom. Une réponse à une demande résolue la rouvre.`,
    corps_en: `<p>Each request has a number, such as AS-2026-000123. It is in the acknowledgment sent by email.
<h3>See how it is going</h3>
<p>Select the link in that email: the page shows the steps, the replies and what we are waiting for from you. The link is personal; forward it only to someone who may read everything.
<h3>Add information or a photo</h3>
<ul><li>Reply to the email, without changing the subject; or<li>write on the page of the request, where you can attach files too.</ul>
<p>Do not send a second request for the same thing: the two would go on without knowing of each other.
<h3>No acknowledgment?</h3>
<p>Look in your junk folder. If it is not there, the address entered may have been wrong: call us, and we find the request by your name. A reply to a resolved request reopens it.`,
  },
]
