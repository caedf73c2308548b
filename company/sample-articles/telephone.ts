import type { SampleArticle } from './all.ts'

export const telephoneArticles: SampleArticle[] = [
  {
    categorie: 'telephonie',
    titre: 'Mon téléphone est muet',
    titre_en: 'My phone has no sound or dial tone',
    mots_cles: 'pas de son, aucune tonalité, écran noir, téléphone mort, téléphone IP, poste, panne',
    mots_cles_en: 'dead phone, no audio, blank screen, desk phone, IP phone, extension, not working',
    corps: `<p>Un téléphone IP a besoin du réseau et du courant. Dans neuf cas sur dix, il revient en deux minutes.
<h3>À essayer dans l'ordre</h3>
<ol><li>Regardez l'écran. S'il est noir, le téléphone n'a plus de courant : vérifiez le bloc d'alimentation, ou le câble réseau s'il n'y en a pas.<li>Débranchez le câble réseau du téléphone, attendez dix secondes et rebranchez-le jusqu'au déclic. L'écran d'accueil revient en une ou deux minutes.<li>Appuyez sur la touche Muet ou Casque : une lumière allumée coupe le micro ou envoie le son dans un casque absent.<li>Montez le volume pendant que vous entendez la tonalité, pas pendant la sonnerie : ce sont deux réglages.<li>Essayez le combiné d'un collègue. Si le son revient, seul le cordon ou le combiné est à changer.</ol>
<h3>Si plusieurs téléphones sont muets</h3>
<p>C'est plutôt le réseau. Regardez l'<a href="/reseau">état du réseau</a> : une panne connue y est décrite. En attendant, <a href="/aide/renvoyer-ses-appels-vers-un-cellulaire">renvoyez vos appels vers un cellulaire</a>.
<p>Toujours rien? Faites un <a href="/appel-de-service">appel de service</a> avec le numéro du poste et ce que montre l'écran.`,
    corps_en: `<p>An IP phone needs the network and power. Nine times out of ten it is back within two minutes.
<h3>Try in this order</h3>
<ol><li>Look at the screen. If it is black, the phone has no power: check its power adapter, or the network cable if there is none.<li>Unplug the network cable from the phone, wait ten seconds and plug it back in until it clicks. The home screen is back in a minute or two.<li>Press the Mute or Headset key: a lit key turns off the microphone or sends the sound to a headset that is not there.<li>Turn up the volume while you hear the dial tone, not while it rings: these are two settings.<li>Try a colleague’s handset. If the sound is back, only the cord or the handset needs replacing.</ol>
<h3>If several phones are silent</h3>
<p>It is more likely the network. Look at the <a href="/reseau">network status</a>: a known outage is described there. In the meantime, <a href="/aide/forward-your-calls-to-a-cell-phone">forward your calls to a cell phone</a>.
<p>Still nothing? Place a <a href="/appel-de-service">service call</a> with the extension number and what the screen shows.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Renvoyer ses appels vers un cellulaire',
    titre_en: 'Forward your calls to a cell phone',
    mots_cles: 'renvoi, transfert automatique, rediriger, mobile, absence, télétravail, tempête',
    mots_cles_en: 'call forwarding, redirect, mobile, away, working from home, snow day',
    corps: `<h3>Depuis votre téléphone de bureau</h3>
<ol><li>Composez *72.<li>Entrez le numéro à dix chiffres du cellulaire, puis le carré (#).<li>Attendez la confirmation et raccrochez. Un pictogramme de renvoi paraît à l'écran.</ol>
<p>Pour annuler le renvoi, composez *73.
<h3>Sans être au bureau</h3>
<p>Ouvrez votre portail personnel, puis Mon poste et Renvois. La vidéo <a href="/telecom/docs">Portail personnel</a> montre chaque étape.
<h3>Renvoyer seulement quand vous ne répondez pas</h3>
<p>Composez *52, le numéro, puis #. Votre poste sonne d'abord, et l'appel ne part vers le cellulaire qu'après quelques coups. *53 annule.
<h3>Bon à savoir</h3>
<ul><li>Votre boîte vocale du cellulaire peut répondre avant vous : prévoyez un message d'entreprise.<li>Chaque appel renvoyé compte comme un appel sortant de votre forfait.<li>Faites un appel d'essai avant de partir.</ul>`,
    corps_en: `<h3>From your desk phone</h3>
<ol><li>Dial *72.<li>Enter the ten-digit number of the cell phone, then the pound key (#).<li>Wait for the confirmation and hang up. A forwarding icon appears on the screen.</ol>
<p>To cancel forwarding, dial *73.
<h3>When you are away from the office</h3>
<p>Open your personal portal, then My extension and Forwarding. The video <a href="/telecom/docs">Personal portal</a> (in French) shows each step.
<h3>Forward only when you do not answer</h3>
<p>Dial *52, the number, then #. Your extension rings first, and the call goes to the cell phone only after a few rings. *53 cancels it.
<h3>Good to know</h3>
<ul><li>The voicemail of your cell phone may answer before you do: record a business greeting.<li>Each forwarded call counts as an outgoing call of your plan.<li>Make a test call before you leave.</ul>`,
  },
  {
    categorie: 'telephonie',
    titre: 'Écouter sa boîte vocale et changer son message d’accueil',
    titre_en: 'Listen to your voicemail and change your greeting',
    mots_cles: 'messagerie vocale, répondeur, NIP, vacances, message d’absence, lumière rouge',
    mots_cles_en: 'voice mail, answering machine, PIN, vacation greeting, red light, messages',
    corps: `<h3>Écouter vos messages</h3>
<ol><li>Appuyez sur la touche Messages, ou composez *97.<li>Entrez votre mot de passe, puis le carré (#). À la première écoute, c'est le numéro de votre poste : changez-le tout de suite.<li>Appuyez sur 1 pour les nouveaux messages, sur 7 pour effacer celui que vous venez d'entendre.</ol>
<h3>Changer le message d'accueil</h3>
<ol><li>Dans la boîte vocale, appuyez sur 0 pour les options.<li>Appuyez sur 1 pour le message « non disponible » ou sur 2 pour le message « occupé ».<li>Parlez après le bip, puis appuyez sur # et suivez les choix pour l'écouter et le garder.</ol>
<h3>Un bon message de vacances</h3>
<p>Votre nom, la date de retour, la personne qui vous remplace et son poste. Vingt secondes suffisent. Remettez l'ancien message à votre retour.
<p>Mot de passe oublié? Nous le remettons à neuf par un <a href="/appel-de-service">appel de service</a>. Les messages peuvent aussi vous parvenir par courriel, en pièce jointe : demandez-le.`,
    corps_en: `<h3>Listen to your messages</h3>
<ol><li>Press the Messages key, or dial *97.<li>Enter your password, then the pound key (#). The first time it is your extension number: change it right away.<li>Press 1 for new messages, and 7 to delete the one you just heard.</ol>
<h3>Change your greeting</h3>
<ol><li>In your voicemail, press 0 for the options.<li>Press 1 for the “unavailable” greeting or 2 for the “busy” greeting.<li>Speak after the beep, then press # and follow the choices to listen to it and keep it.</ol>
<h3>A good vacation greeting</h3>
<p>Your name, the day you are back, who replaces you and their extension. Twenty seconds are enough. Put the former greeting back on your return.
<p>Forgot the password? We reset it through a <a href="/appel-de-service">service call</a>. Messages can also come to you by email, as an attachment: just ask.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Transférer un appel, le mettre en garde ou faire une conférence',
    titre_en: 'Transfer a call, put it on hold or start a conference',
    mots_cles: 'transfert, attente, appel à trois, réceptionniste, passer un appel',
    mots_cles_en: 'hold, three-way call, reception, pass a call, blind transfer, attended transfer',
    corps: `<h3>Transférer en annonçant l'appel</h3>
<ol><li>Pendant l'appel, appuyez sur Transfert. La personne est mise en garde et entend la musique.<li>Composez le poste de votre collègue et annoncez l'appel.<li>Appuyez de nouveau sur Transfert. Si votre collègue refuse, appuyez sur Annuler ou Reprendre.</ol>
<h3>Transférer directement</h3>
<p>Appuyez sur Transfert, composez le poste, puis raccrochez ou appuyez sur la touche Direct (Blind). Pour déposer l'appel dans une boîte vocale, composez * suivi du numéro du poste.
<h3>Parler à trois</h3>
<ol><li>Pendant l'appel, appuyez sur Conférence.<li>Composez le deuxième numéro et attendez la réponse.<li>Appuyez encore sur Conférence : tout le monde s'entend.</ol>
<h3>Reprendre un appel en garde</h3>
<p>Appuyez sur la touche de ligne qui clignote. Pour qu'un collègue le reprenne ailleurs, utilisez le stationnement : transférez l'appel au 70, notez le numéro annoncé, et composez-le de n'importe quel poste.`,
    corps_en: `<h3>Announce the call first</h3>
<ol><li>During the call, press Transfer. The person is put on hold and hears the music.<li>Dial your colleague’s extension and announce the call.<li>Press Transfer again. If your colleague declines, press Cancel or Resume.</ol>
<h3>Transfer directly</h3>
<p>Press Transfer, dial the extension, then hang up or press Blind. To send the call to a voicemail box, dial * followed by the extension.
<h3>Talk with three people</h3>
<ol><li>During the call, press Conference.<li>Dial the second number and wait for an answer.<li>Press Conference again: everybody can talk.</ol>
<h3>Take a call off hold</h3>
<p>Press the flashing line key. To let a colleague pick it up elsewhere, park it: transfer the call to 70, note the number you hear, and dial that number from any extension.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Mon interlocuteur m’entend mal ou la voix coupe',
    titre_en: 'The other person hears me badly or the voice breaks up',
    mots_cles: 'écho, robot, hachée, coupures, grésillement, casque, qualité des appels, gigue',
    mots_cles_en: 'echo, robotic, choppy, dropouts, crackling, headset, call quality, jitter',
    corps: `<p>La voix passe par votre connexion Internet : quand le réseau est occupé ou faible, elle coupe avant tout le reste.
<h3>L'ordre des vérifications</h3>
<ol><li>Rapprochez le micro de la bouche, à deux doigts. Essayez sans le casque : si tout s'arrange, changez son câble ou ses piles.<li>Sur un téléphone logiciel, branchez l'ordinateur par câble plutôt que par Wi-Fi.<li>Fermez ce qui prend la connexion : téléversement d'une vidéo, copie de sécurité dans le nuage, visioconférence d'un collègue.<li>Écho : baissez le volume du haut-parleur, ou prenez le combiné.<li>Raccrochez et rappelez. Une seule mauvaise conversation vient souvent de l'autre côté.</ol>
<h3>Quand cela se répète</h3>
<p>Notez trois exemples : date, heure, numéro appelé, et ce que chacun entendait. Avec cela, un technicien retrouve l'appel et voit où la voix s'est perdue. Envoyez-les par un <a href="/appel-de-service">appel de service</a>.`,
    corps_en: `<p>Your voice travels over your Internet connection: when the network is busy or weak, voice breaks up before anything else.
<h3>What to check, in order</h3>
<ol><li>Bring the microphone closer to your mouth, two fingers away. Try without the headset: if that helps, change its cable or batteries.<li>With a softphone, connect the computer by cable rather than Wi-Fi.<li>Close what uses the connection: a video upload, a cloud backup, a colleague’s video meeting.<li>Echo: turn down the speaker, or use the handset.<li>Hang up and call again. A single bad call often comes from the other side.</ol>
<h3>When it keeps happening</h3>
<p>Note three examples: date, time, number called, and what each side heard. With these a technician finds the call and sees where the voice was lost. Send them in a <a href="/appel-de-service">service call</a>.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Prendre ses appels sur l’ordinateur ou le cellulaire avec le téléphone logiciel',
    titre_en: 'Take your calls on your computer or cell phone with the softphone',
    mots_cles: 'softphone, application, télétravail, code QR, notifications, appels de la maison',
    mots_cles_en: 'soft phone, app, remote work, QR code, notifications, calls from home',
    corps: `<p>Le téléphone logiciel est votre poste de bureau dans une application : même numéro, mêmes touches, mêmes collègues.
<h3>L'installer</h3>
<ol><li>Téléchargez l'application : les programmes pour Windows et Mac sont dans la <a href="/telecom/docs">documentation télécom</a>, ceux du cellulaire dans sa boutique d'applications.<li>Ouvrez le courriel d'activation que nous vous avons envoyé et numérisez le code QR, ou entrez le nom d'usager et le mot de passe du poste.<li>Permettez le micro et les notifications quand l'appareil le demande. Sans notifications, le cellulaire ne sonne pas.<li>Appelez *43 : vous devez vous entendre. C'est le test d'écho.</ol>
<h3>Il ne sonne pas?</h3>
<ul><li>Cellulaire : retirez l'application de l'économie d'énergie.<li>Ordinateur : choisissez le bon casque dans les réglages audio.<li>Vérifiez que vous n'êtes pas en mode « Ne pas déranger » (*79 pour l'enlever).</ul>
<p>Attention au 911 : depuis la maison, lisez d'abord <a href="/aide/le-911-et-votre-telephone-ip">Le 911 et votre téléphone IP</a>.`,
    corps_en: `<p>The softphone is your desk extension in an app: same number, same keys, same colleagues.
<h3>Install it</h3>
<ol><li>Download the app: the programs for Windows and Mac are in the <a href="/telecom/docs">telecom documentation</a>, those for cell phones in their app store.<li>Open the activation email that we sent you and scan the QR code, or enter the username and password of the extension.<li>Allow the microphone and notifications when the device asks. Without notifications a cell phone does not ring.<li>Call *43: you should hear yourself. This is the echo test.</ol>
<h3>It does not ring?</h3>
<ul><li>Cell phone: exclude the app from battery saving.<li>Computer: choose the right headset in the audio settings.<li>Check that “Do not disturb” is off (*79 turns it off).</ul>
<p>Mind 911: before you call from home, read <a href="/aide/911-and-your-ip-phone">911 and your IP phone</a>.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Le 911 et votre téléphone IP',
    titre_en: '911 and your IP phone',
    mots_cles: 'urgence, ambulance, pompiers, police, adresse, télétravail, panne de courant',
    mots_cles_en: 'emergency, ambulance, fire, police, address, remote work, power outage',
    corps: `<p>Au 911, un téléphone IP ne donne pas l'endroit où il est branché : il donne l'adresse inscrite au dossier de la ligne.
<h3>Ce que vous devez faire</h3>
<ul><li>Dites votre adresse en premier, même si on ne vous la demande pas.<li>Ne raccrochez pas avant qu'on vous le dise. Si l'appel coupe, rappelez.<li>Un téléphone déménagé, ou emporté à la maison, garde l'ancienne adresse : avisez-nous avant de le déplacer.<li>En cas de panne de courant ou d'Internet, le téléphone IP ne fonctionne pas : gardez un cellulaire chargé.</ul>
<h3>Vérifier l'adresse inscrite</h3>
<p>Le responsable de votre entreprise la voit dans son dossier. Pour la corriger, faites un <a href="/appel-de-service">appel de service</a> avec l'adresse civique complète, l'étage et le local. Nous confirmons le changement par écrit. N'appelez pas le 911 pour vérifier.`,
    corps_en: `<p>When you call 911, an IP phone does not give the place where it is plugged in: it gives the address on file for the line.
<h3>What you must do</h3>
<ul><li>Say your address first, even if nobody asks.<li>Do not hang up until you are told to. If the call drops, call again.<li>A phone that was moved, or taken home, keeps the former address: let us know before you move it.<li>Without power or Internet an IP phone does not work: keep a charged cell phone.</ul>
<h3>Check the address on file</h3>
<p>The person in charge at your company sees it in your file. To correct it, place a <a href="/appel-de-service">service call</a> with the full street address, floor and suite. We confirm the change in writing. Do not call 911 to check.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Ajouter un poste téléphonique ou un numéro',
    titre_en: 'Add a phone extension or a number',
    mots_cles: 'nouvelle ligne, nouveau téléphone, nouvel employé, numéro direct, portabilité, garder son numéro',
    mots_cles_en: 'new line, new phone, new employee, direct number, porting, keep my number',
    corps: `<h3>Ce qu'il nous faut</h3>
<ol><li>Le nom de la personne, tel qu'il doit paraître à l'écran des autres.<li>Le poste voulu, par exemple 214, et s'il faut un numéro direct.<li>Un téléphone de bureau, l'application, ou les deux.<li>L'endroit exact : l'adresse sert aussi au <a href="/aide/le-911-et-votre-telephone-ip">911</a>.<li>Les groupes où le poste doit sonner : réception, ventes, soutien.</ol>
<p>Envoyez le tout par un <a href="/appel-de-service">appel de service</a>. Un poste sans appareil est prêt le jour ouvrable suivant; avec un appareil, comptez trois jours ouvrables.
<h3>Garder un numéro d'un autre fournisseur</h3>
<p>C'est le transfert de numéro. Il nous faut une facture récente de l'ancien fournisseur et une lettre d'autorisation signée. Comptez de cinq à dix jours ouvrables, et n'annulez surtout pas l'ancien service : annuler avant la fin du transfert fait perdre le numéro.`,
    corps_en: `<h3>What we need</h3>
<ol><li>The person’s name, as others should see it on their screen.<li>The extension you would like, for example 214, and whether it needs a direct number.<li>A desk phone, the app, or both.<li>The exact place: the address is also used for <a href="/aide/911-and-your-ip-phone">911</a>.<li>The groups in which the extension should ring: reception, sales, support.</ol>
<p>Send it all in a <a href="/appel-de-service">service call</a>. An extension without a device is ready on the next business day; with a device, allow three business days.
<h3>Keep a number from another provider</h3>
<p>This is called porting. We need a recent invoice from the former provider and a signed letter of authorization. Allow five to ten business days, and do not cancel the former service: canceling before the port is complete loses the number.`,
  },
  {
    categorie: 'telephonie',
    titre: 'Changer l’accueil téléphonique pour un congé ou une fermeture',
    titre_en: 'Change the phone greeting for a holiday or a closure',
    mots_cles: 'menu vocal, réception automatique, tempête, jour férié, heures d’ouverture, message de fermeture',
    mots_cles_en: 'auto attendant, voice menu, snow storm, statutory holiday, opening hours, closed message',
    corps: `<p>L'accueil téléphonique suit deux messages, ouvert et fermé, et un calendrier.
<h3>Pour un congé prévu</h3>
<p>Donnez-nous au moins deux jours ouvrables à l'avance : la date et l'heure de fermeture et de reprise, le texte du message en français et en anglais, et où vont les urgences. Nous programmons le tout, et l'horaire normal revient de lui-même.
<h3>Pour une tempête, tout de suite</h3>
<ol><li>De n'importe quel poste, composez *28, puis le mot de passe de l'accueil. Le message de fermeture joue immédiatement.<li>Appelez votre numéro d'un cellulaire pour vérifier.<li>Composez de nouveau *28 pour rouvrir.</ol>
<h3>Exemple de message</h3>
<blockquote><p>Nos bureaux sont fermés aujourd'hui et rouvrent lundi à 8 h. Pour une urgence, faites le 1. Sinon, laissez votre nom et votre numéro après le bip.</blockquote>`,
    corps_en: `<p>The phone greeting follows two messages, open and closed, and a calendar.
<h3>For a planned holiday</h3>
<p>Give us at least two business days: the date and time of closing and reopening, the text of the message in French and English, and where emergencies go. We schedule everything, and the normal hours come back by themselves.
<h3>For a snow storm, right now</h3>
<ol><li>From any extension, dial *28, then the password of the greeting. The closing message plays at once.<li>Call your number from a cell phone to check.<li>Dial *28 again to reopen.</ol>
<h3>Example of a message</h3>
<blockquote><p>Our offices are closed today and reopen on Monday at 8 AM. For an emergency, press 1. Otherwise, leave your name and number after the beep.</blockquote>`,
  },
]
