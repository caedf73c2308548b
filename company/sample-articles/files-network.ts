import type { SampleArticle } from './all.ts'

export const fileArticles: SampleArticle[] = [
  {
    categorie: 'fichiers',
    titre: 'Récupérer un fichier effacé ou une version antérieure',
    titre_en: 'Recover a deleted file or an earlier version',
    mots_cles: 'restaurer, corbeille, supprimé par erreur, écrasé, historique, OneDrive, SharePoint, copie',
    mots_cles_en: 'restore, recycle bin, deleted by mistake, overwritten, history, OneDrive, SharePoint, backup',
    corps: `<h3>Fichier effacé</h3>
<ol><li>Juste à l'instant? Appuyez sur Ctrl+Z.<li>Regardez dans la Corbeille de l'ordinateur.<li>Pour OneDrive ou SharePoint, ouvrez le site dans un navigateur, puis Corbeille : un fichier y reste 93 jours.<li>Choisissez Restaurer. Il revient exactement à sa place.</ol>
<h3>Fichier modifié ou écrasé</h3>
<p>Cliquez dessus avec le bouton droit, puis Historique des versions. Ouvrez la bonne version pour la vérifier avant de la restaurer. Sur un serveur de fichiers : Propriétés, puis Versions précédentes.
<h3>Introuvable?</h3>
<p>Arrêtez d'écrire dans ce dossier et faites un <a href="/appel-de-service">appel de service</a> avec le nom du fichier, le dossier, et le dernier jour où il était bon. Nous le cherchons dans les <a href="/aide/qu-est-ce-qui-est-sauvegarde-et-combien-de-temps">copies de sécurité</a>. Beaucoup de fichiers changés d'un coup? Appelez : ce peut être un rançongiciel.`,
    corps_en: `<h3>Deleted file</h3>
<ol><li>Just now? Press Ctrl+Z.<li>Look in the computer’s Recycle Bin.<li>For OneDrive or SharePoint, open the site in a browser, then Recycle bin: a file stays there for 93 days.<li>Choose Restore. It comes back exactly where it was.</ol>
<h3>File changed or overwritten</h3>
<p>Right-click it, then Version history. Open the right version to check it before you restore it. On a file server: Properties, then Previous versions.
<h3>Nowhere to be found?</h3>
<p>Stop writing in that folder and place a <a href="/appel-de-service">service call</a> with the name of the file, the folder, and the last day it was right. We look for it in the <a href="/aide/what-is-backed-up-and-for-how-long">backups</a>. Many files changed at once? Call us: it may be ransomware.`,
  },
  {
    categorie: 'fichiers',
    titre: 'Partager un dossier avec quelqu’un de l’extérieur',
    titre_en: 'Share a folder with someone outside',
    mots_cles: 'lien de partage, invité, client, comptable, SharePoint, OneDrive, accès externe, Teams',
    mots_cles_en: 'sharing link, guest, client, accountant, SharePoint, OneDrive, external access, Teams',
    corps: `<ol><li>Créez un dossier qui ne contient que ce que la personne doit voir : tout ce qu'on y ajoutera plus tard sera partagé aussi.<li>Cliquez dessus avec le bouton droit, puis Partager.<li>Choisissez « Personnes spécifiques » et entrez l'adresse exacte.<li>Décidez : peut modifier, ou lecture seule.<li>Mettez une date d'expiration et envoyez.</ol>
<h3>Ce que la personne voit</h3>
<p>Elle reçoit un courriel, clique sur le lien et entre un code reçu à la même adresse. Elle n'a pas besoin de compte.
<h3>Retirer l'accès</h3>
<p>Dossier, puis Gérer l'accès : le X à côté du nom suffit. Faites-en le tour deux fois par année.
<p>Le partage externe est refusé? Votre entreprise l'a peut-être limité : demandez à votre responsable avant de nous écrire. N'envoyez pas de renseignements personnels par une clé USB ou un courriel pour contourner la règle.`,
    corps_en: `<ol><li>Create a folder that holds only what the person should see: everything added later will be shared too.<li>Right-click it, then Share.<li>Choose “Specific people” and enter their exact address.<li>Decide: can edit, or view only.<li>Set an expiration date and send.</ol>
<h3>What the person sees</h3>
<p>They get an email, select the link and enter a code sent to the same address. They need no account.
<h3>Remove access</h3>
<p>Folder, then Manage access: the X beside the name is enough. Review it twice a year.
<p>External sharing is refused? Your company may have limited it: ask your manager before you write to us. Do not send personal information on a USB key or by email to get around the rule.`,
  },
  {
    categorie: 'fichiers',
    titre: 'OneDrive ne se synchronise plus ou l’espace est plein',
    titre_en: 'OneDrive has stopped syncing or storage is full',
    mots_cles: 'nuage, infonuagique, synchronisation, flèches, croix rouge, disque plein, espace insuffisant',
    mots_cles_en: 'cloud, sync, arrows, red cross, disk full, not enough space, pending',
    corps: `<h3>Regardez le nuage près de l'heure</h3>
<ul><li><strong>Deux flèches</strong> : il travaille. Laissez l'ordinateur allumé et branché.<li><strong>Une croix rouge</strong> : cliquez dessus, le fichier fautif est nommé.<li><strong>Pause</strong> : cliquez, puis Reprendre.<li><strong>Pas de nuage</strong> : cherchez OneDrive dans le menu Démarrer et ouvrez-le.</ul>
<h3>Le fichier fautif</h3>
<p>Renommez-le s'il contient " * : &lt; &gt; ? / \\ |, ou si le chemin des dossiers est très long. Fermez-le s'il est ouvert dans un autre programme.
<h3>Le disque de l'ordinateur est plein</h3>
<p>Cliquez avec le bouton droit sur un gros dossier, puis « Libérer de l'espace » : les fichiers restent dans le nuage et s'ouvrent quand vous en avez besoin. Ne les supprimez pas : ils disparaîtraient partout.
<h3>L'espace dans le nuage est plein</h3>
<p>Videz la corbeille en ligne, puis déplacez les vieux projets vers le dossier partagé de l'équipe. Redémarrez avant d'appeler : cela règle la moitié des cas.`,
    corps_en: `<h3>Look at the cloud near the clock</h3>
<ul><li><strong>Two arrows</strong>: it is working. Leave the computer on and plugged in.<li><strong>A red cross</strong>: select it, it names the file at fault.<li><strong>Paused</strong>: select it, then Resume.<li><strong>No cloud</strong>: search for OneDrive in the Start menu and open it.</ul>
<h3>The file at fault</h3>
<p>Rename it if it contains " * : &lt; &gt; ? / \\ |, or if the path of folders is very long. Close it if another program has it open.
<h3>The computer’s disk is full</h3>
<p>Right-click a large folder, then “Free up space”: the files stay in the cloud and open when you need them. Do not delete them: they would disappear everywhere.
<h3>Cloud storage is full</h3>
<p>Empty the online recycle bin, then move old projects to the team’s shared folder. Restart before you call: it solves half of the cases.`,
  },
  {
    categorie: 'fichiers',
    titre: 'Qu’est-ce qui est sauvegardé, et combien de temps?',
    titre_en: 'What is backed up, and for how long?',
    mots_cles: 'copie de sécurité, backup, restauration, rançongiciel, rétention, serveur, Microsoft 365',
    mots_cles_en: 'backup, restore, ransomware, retention, server, Microsoft 365, recovery',
    corps: `<p>Cela dépend de votre contrat; voici ce que comprend notre service courant.
<ul><li><strong>Serveurs et dossiers partagés</strong> : une copie chaque nuit, gardée 30 jours, et une par mois, gardée un an.<li><strong>Courriel, OneDrive et SharePoint</strong> : trois copies par jour, gardées un an, hors de Microsoft 365.<li><strong>Ordinateurs</strong> : seuls les dossiers Bureau, Documents et Images, quand ils sont dans OneDrive. <strong>Pas</strong> le dossier Téléchargements, ni un disque externe.<li><strong>Cellulaires</strong> : non, sauf le courriel et les fichiers du nuage.</ul>
<h3>Une copie est aussi bonne que son dernier essai</h3>
<p>Nous restaurons des fichiers au hasard chaque mois et un serveur complet chaque année. Une des copies est hors de portée du réseau, pour qu'un rançongiciel ne l'atteigne pas.
<p>Un dossier important est ailleurs? Dites-le-nous avant d'en avoir besoin : <a href="/appel-de-service">appel de service</a>. Pour ravoir un fichier : <a href="/aide/recuperer-un-fichier-efface-ou-une-version-anterieure">Récupérer un fichier effacé</a>.`,
    corps_en: `<p>It depends on your contract; this is what our usual service includes.
<ul><li><strong>Servers and shared folders</strong>: a copy each night, kept 30 days, and one a month, kept one year.<li><strong>Email, OneDrive and SharePoint</strong>: three copies a day, kept one year, outside Microsoft 365.<li><strong>Computers</strong>: only the Desktop, Documents and Pictures folders, when they are in OneDrive. <strong>Not</strong> the Downloads folder, nor an external disk.<li><strong>Cell phones</strong>: no, except email and files in the cloud.</ul>
<h3>A backup is as good as its last test</h3>
<p>We restore random files each month and a whole server each year. One of the copies is out of reach of the network, so that ransomware cannot touch it.
<p>An important folder is elsewhere? Tell us before you need it: <a href="/appel-de-service">service call</a>. To get a file back: <a href="/aide/recover-a-deleted-file-or-an-earlier-version">Recover a deleted file</a>.`,
  },
  {
    categorie: 'fichiers',
    titre: 'Un fichier est verrouillé ou s’ouvre en lecture seule',
    titre_en: 'A file is locked or opens as read-only',
    mots_cles: 'en cours d’utilisation, Excel, Word, lecture seule, accès refusé, permission, modifié par un autre',
    mots_cles_en: 'in use, Excel, Word, read only, access denied, permission, opened by another user',
    corps: `<h3>« Verrouillé par un autre utilisateur »</h3>
<ol><li>Le message nomme souvent la personne : demandez-lui de fermer le fichier.<li>C'est votre propre nom? Fermez toutes les fenêtres Word ou Excel, attendez une minute, rouvrez. Au besoin, redémarrez.<li>Sur un serveur de fichiers, un verrou oublié se libère par un <a href="/appel-de-service">appel de service</a>.</ol>
<p>Dans OneDrive ou SharePoint, plusieurs personnes écrivent en même temps sans verrou : déposez-y les fichiers que l'équipe se dispute.
<h3>« Mode protégé » ou « Lecture seule »</h3>
<ul><li>Un fichier reçu par courriel s'ouvre en mode protégé. Ne cliquez sur Activer la modification que si vous l'attendiez; n'activez jamais les macros d'un inconnu.<li>Un fichier marqué comme final : Modifier quand même.<li>« Accès refusé » : vous n'avez pas le droit. Le propriétaire du dossier doit le demander pour vous.</ul>`,
    corps_en: `<h3>“Locked by another user”</h3>
<ol><li>The message often names the person: ask them to close the file.<li>Is it your own name? Close all Word or Excel windows, wait a minute, open it again. Restart if needed.<li>On a file server, a forgotten lock is released through a <a href="/appel-de-service">service call</a>.</ol>
<p>In OneDrive or SharePoint several people write at once without a lock: put there the files that the team competes for.
<h3>“Protected view” or “Read-only”</h3>
<ul><li>A file received by email opens in protected view. Select Enable editing only if you expected it; never enable macros from a stranger.<li>A file marked as final: Edit anyway.<li>“Access denied”: you do not have the right. The owner of the folder has to request it for you.</ul>`,
  },
]

export const networkArticles: SampleArticle[] = [
  {
    categorie: 'reseau',
    titre: 'Plus d’Internet au bureau : quoi vérifier',
    titre_en: 'No Internet at the office: what to check',
    mots_cles: 'panne Internet, connexion perdue, modem, routeur, hors ligne, aucun accès',
    mots_cles_en: 'Internet outage, connection lost, modem, router, offline, no access, down',
    corps: `<ol><li>Regardez l'<a href="/reseau">état du réseau</a> depuis votre cellulaire, hors du Wi-Fi. Une panne connue y est décrite, avec l'heure de la prochaine mise à jour.<li>Êtes-vous seul? Demandez à un voisin de bureau. Si lui navigue, c'est votre câble ou votre Wi-Fi : débranchez et rebranchez.<li>Tout le monde? Allez voir l'armoire réseau. Notez les voyants rouges ou éteints et prenez une photo.<li>Débranchez le courant du modem, puis du routeur. Attendez 30 secondes. Rebranchez le modem, attendez deux minutes, puis le routeur.<li>Toujours rien après cinq minutes? Appelez-nous. Ne changez pas les câbles de place.</ol>
<h3>Travailler en attendant</h3>
<ul><li>Partagez la connexion de votre cellulaire (point d'accès mobile).<li><a href="/aide/renvoyer-ses-appels-vers-un-cellulaire">Renvoyez vos appels</a> depuis votre portail personnel.<li>Un lien de secours cellulaire peut prendre la relève de lui-même : parlez-nous-en.</ul>`,
    corps_en: `<ol><li>Look at the <a href="/reseau">network status</a> on your cell phone, off Wi-Fi. A known outage is described there, with the time of the next update.<li>Is it only you? Ask the person beside you. If they can browse, it is your cable or your Wi-Fi: unplug and plug in again.<li>Everyone? Go and see the network cabinet. Note red or unlit lights and take a photo.<li>Unplug the power of the modem, then of the router. Wait 30 seconds. Plug in the modem, wait two minutes, then the router.<li>Still nothing after five minutes? Call us. Do not move cables around.</ol>
<h3>Work in the meantime</h3>
<ul><li>Share the connection of your cell phone (mobile hotspot).<li><a href="/aide/forward-your-calls-to-a-cell-phone">Forward your calls</a> from your personal portal.<li>A cellular backup link can take over by itself: ask us about it.</ul>`,
  },
  {
    categorie: 'reseau',
    titre: 'Internet est lent au bureau',
    titre_en: 'The Internet is slow at the office',
    mots_cles: 'lenteur, vitesse, débit, bande passante, test de vitesse, ça rame',
    mots_cles_en: 'slowness, speed, bandwidth, speed test, lag, slow connection',
    corps: `<h3>Trouver où ça ralentit</h3>
<ol><li>Est-ce un seul site? Essayez-en deux autres. Un seul site lent, c'est le site.<li>Est-ce un seul ordinateur? Redémarrez-le; voyez <a href="/aide/mon-ordinateur-est-lent">Mon ordinateur est lent</a>.<li>Est-ce seulement en Wi-Fi? Branchez un câble. Si tout va bien, voyez <a href="/aide/le-wi-fi-est-faible-dans-une-piece">Le Wi-Fi est faible dans une pièce</a>.<li>Faites un test de vitesse par câble, à deux moments de la journée, et comparez à votre forfait. 80 % est normal.</ol>
<h3>Ce qui mange la connexion</h3>
<ul><li>Une grosse copie vers le nuage ou une mise à jour en plein jour.<li>Le son et l'image : une visioconférence prend de 2 à 4 Mbit/s par personne, dans les deux sens.<li>Le <a href="/aide/donner-le-wi-fi-aux-visiteurs">réseau des visiteurs</a> sans limite.</ul>
<p>Envoyez-nous vos deux tests par un <a href="/appel-de-service">appel de service</a> : nous regardons qui prend quoi, et donnons la priorité aux appels.`,
    corps_en: `<h3>Find where it slows down</h3>
<ol><li>Is it a single site? Try two others. One slow site is the site itself.<li>Is it a single computer? Restart it; see <a href="/aide/my-computer-is-slow">My computer is slow</a>.<li>Is it only on Wi-Fi? Plug in a cable. If all is well, see <a href="/aide/wi-fi-is-weak-in-one-room">Wi-Fi is weak in one room</a>.<li>Run a speed test by cable, at two times of the day, and compare it to your plan. 80% is normal.</ol>
<h3>What eats the connection</h3>
<ul><li>A large copy to the cloud or an update in the middle of the day.<li>Sound and picture: a video meeting takes 2 to 4 Mbit/s per person, both ways.<li>A <a href="/aide/give-visitors-wi-fi">visitor network</a> without a limit.</ul>
<p>Send us your two tests in a <a href="/appel-de-service">service call</a>: we look at who takes what, and give priority to calls.`,
  },
  {
    categorie: 'reseau',
    titre: 'Donner le Wi-Fi aux visiteurs',
    titre_en: 'Give visitors Wi-Fi',
    mots_cles: 'réseau invité, sans fil, mot de passe Wi-Fi, code QR, client, salle d’attente',
    mots_cles_en: 'guest network, wireless, Wi-Fi password, QR code, customer, waiting room',
    corps: `<p>Les visiteurs ont leur propre réseau, qui mène à Internet et à rien d'autre : ni fichiers, ni imprimantes, ni téléphones. Ne leur donnez jamais le mot de passe du réseau du bureau.
<h3>Le leur donner</h3>
<ol><li>Le nom du réseau se termine par « Invites ».<li>Le mot de passe est sur la carte de la réception, avec un code QR : l'appareil photo d'un cellulaire suffit.<li>Il change tous les trois mois. Nous vous envoyons la nouvelle carte à imprimer.</ol>
<h3>Un appareil qui doit rester</h3>
<p>Un terminal de paiement, une caméra ou une télévision n'est ni un visiteur ni un ordinateur du bureau : il lui faut un réseau à part. Faites un <a href="/appel-de-service">appel de service</a> avant de le brancher.
<p>Un visiteur doit imprimer? Demandez-lui le fichier par courriel et imprimez-le vous-même.`,
    corps_en: `<p>Visitors have a network of their own, which leads to the Internet and to nothing else: no files, printers or phones. Never give them the password of the office network.
<h3>Hand it out</h3>
<ol><li>The name of the network ends with “Invites”.<li>The password is on the card at reception, with a QR code: the camera of a cell phone is enough.<li>It changes every three months. We send you the new card to print.</ol>
<h3>A device that stays</h3>
<p>A payment terminal, a camera or a television is neither a visitor nor an office computer: it needs a network of its own. Place a <a href="/appel-de-service">service call</a> before you connect it.
<p>A visitor needs to print? Ask for the file by email and print it yourself.`,
  },
  {
    categorie: 'reseau',
    titre: 'Le Wi-Fi est faible dans une pièce',
    titre_en: 'Wi-Fi is weak in one room',
    mots_cles: 'signal, sans fil, zone morte, borne, point d’accès, répéteur, déconnexions',
    mots_cles_en: 'signal, wireless, dead zone, access point, repeater, extender, disconnects',
    corps: `<h3>Tout de suite</h3>
<ol><li>Fermez et rouvrez le Wi-Fi de l'appareil : il s'accroche parfois à une borne lointaine.<li>Éloignez-vous du four à micro-ondes, des murs de béton et des classeurs de métal.<li>Choisissez le réseau en 5 GHz s'il paraît dans la liste : plus rapide de près, mais il traverse moins bien les murs.<li>Pour une réunion importante, prenez un câble.</ol>
<h3>Pour régler le problème</h3>
<p>N'achetez pas de répéteur : il divise la vitesse et brouille les bornes voisines. Faites plutôt une carte simple : sur un plan, un X là où ça coupe, avec l'heure et l'appareil. Avec ce plan, nous mesurons le signal et ajoutons ou déplaçons une borne au bon endroit.
<p>Les coupures arrivent partout à la fois? Voyez <a href="/aide/internet-est-lent-au-bureau">Internet est lent au bureau</a>.`,
    corps_en: `<h3>Right now</h3>
<ol><li>Turn the Wi-Fi of the device off and on: it sometimes clings to an access point far away.<li>Move away from the microwave oven, concrete walls and metal cabinets.<li>Choose the 5 GHz network if it is in the list: it is faster nearby, but goes through walls less well.<li>For an important meeting, use a cable.</ol>
<h3>To solve the problem</h3>
<p>Do not buy a repeater: it halves the speed and disturbs the access points nearby. Draw a simple map instead: on a floor plan, an X where it drops, with the time and the device. With this map we measure the signal and add or move an access point to the right place.
<p>It drops everywhere at once? See <a href="/aide/the-internet-is-slow-at-the-office">The Internet is slow at the office</a>.`,
  },
  {
    categorie: 'reseau',
    titre: 'Se brancher au bureau depuis la maison (RPV)',
    titre_en: 'Connect to the office from home (VPN)',
    mots_cles: 'VPN, télétravail, accès à distance, bureau à distance, réseau privé virtuel, maison',
    mots_cles_en: 'VPN, remote work, remote access, remote desktop, virtual private network, home',
    corps: `<p>Le réseau privé virtuel (RPV) relie votre ordinateur de travail au bureau, comme si vous y étiez.
<ol><li>Vérifiez d'abord qu'Internet fonctionne à la maison.<li>Ouvrez le client RPV près de l'heure et choisissez le bureau.<li>Entrez votre nom d'usager et votre mot de passe, puis approuvez sur votre cellulaire.<li>Attendez « Connecté », puis ouvrez vos dossiers partagés.</ol>
<h3>Ça ne se connecte pas</h3>
<ul><li>Redémarrez l'ordinateur et le routeur de la maison.<li>Certains Wi-Fi d'hôtel ou de café bloquent le RPV : essayez le partage de connexion du cellulaire.<li>« Mot de passe refusé » : voyez <a href="/aide/mot-de-passe-oublie-ou-expire">Mot de passe oublié ou expiré</a>.</ul>
<h3>À la maison aussi</h3>
<p>Utilisez l'ordinateur de l'entreprise, pas celui de la famille. Verrouillez l'écran (Windows+L). Pour le courriel et les fichiers du nuage, le RPV n'est pas nécessaire.`,
    corps_en: `<p>The virtual private network (VPN) connects your work computer to the office, as if you were there.
<ol><li>First check that the Internet works at home.<li>Open the VPN client near the clock and choose the office.<li>Enter your username and password, then approve on your cell phone.<li>Wait for “Connected”, then open your shared folders.</ol>
<h3>It does not connect</h3>
<ul><li>Restart the computer and the home router.<li>Some hotel or café Wi-Fi blocks the VPN: try the hotspot of your cell phone.<li>“Password refused”: see <a href="/aide/forgotten-or-expired-password">Forgotten or expired password</a>.</ul>
<h3>At home too</h3>
<p>Use the company’s computer, not the family’s. Lock the screen (Windows+L). For email and files in the cloud the VPN is not needed.`,
  },
]
