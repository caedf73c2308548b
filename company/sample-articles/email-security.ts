import type { SampleArticle } from './all.ts'

export const emailArticles: SampleArticle[] = [
  {
    categorie: 'courriel',
    titre: 'Recevoir ses courriels sur son cellulaire',
    titre_en: 'Get your email on your cell phone',
    mots_cles: 'Outlook, iPhone, Android, configurer, synchroniser, agenda, téléphone intelligent',
    mots_cles_en: 'Outlook, iPhone, Android, set up, sync, calendar, smartphone',
    corps: `<h3>Avec l'application Outlook (recommandé)</h3>
<ol><li>Installez Microsoft Outlook depuis la boutique d'applications du cellulaire.<li>Ouvrez-la, entrez votre adresse de courriel au complet, puis votre mot de passe.<li>Approuvez la demande d'<a href="/aide/nouveau-cellulaire-recuperer-l-authentification-a-deux-facteurs">authentification à deux facteurs</a>.<li>Acceptez de synchroniser l'agenda et les contacts. Les premiers messages arrivent en quelques minutes.</ol>
<h3>Avant de commencer</h3>
<ul><li>Le cellulaire doit avoir un code de verrouillage.<li>Si l'entreprise peut effacer les données de travail à distance, l'appareil vous le dit à ce moment-là : vos photos personnelles n'en font pas partie.</ul>
<h3>Ça refuse votre mot de passe?</h3>
<p>Essayez-le d'abord dans un navigateur, à l'adresse Web de votre courriel. S'il marche là, retirez le compte du cellulaire et ajoutez-le de nouveau : un mot de passe changé récemment doit être entré sur chaque appareil.`,
    corps_en: `<h3>With the Outlook app (recommended)</h3>
<ol><li>Install Microsoft Outlook from the app store of your cell phone.<li>Open it, enter your full email address, then your password.<li>Approve the <a href="/aide/new-cell-phone-get-your-two-factor-authentication-back">two-factor authentication</a> request.<li>Agree to sync your calendar and contacts. The first messages arrive within minutes.</ol>
<h3>Before you start</h3>
<ul><li>The cell phone must have a lock code.<li>If your company can erase work data remotely, the device tells you at that moment: your personal photos are not part of it.</ul>
<h3>Your password is refused?</h3>
<p>Try it in a browser first, at the web address of your email. If it works there, remove the account from the cell phone and add it again: a password that was changed recently must be entered on each device.`,
  },
  {
    categorie: 'courriel',
    titre: 'Je ne reçois plus de courriels',
    titre_en: 'I no longer receive emails',
    mots_cles: 'courriel absent, manquant, rien ne rentre, boîte de réception vide, retard, Outlook bloqué',
    mots_cles_en: 'missing email, nothing comes in, empty inbox, delayed mail, Outlook stuck, offline',
    corps: `<h3>Cherchez d'abord le message</h3>
<ol><li>Regardez dans Courrier indésirable, Autres (à côté de Prioritaire) et Éléments supprimés.<li>Cherchez le nom de l'expéditeur dans tous les dossiers : une règle a pu déplacer le message.<li>Ouvrez votre courriel dans un navigateur. Si le message y est, c'est Outlook qui ne se met plus à jour.</ol>
<h3>Outlook ne se met plus à jour</h3>
<ol><li>Regardez au bas de la fenêtre : « Travailler hors connexion » ou « Mot de passe requis »? Dans le premier cas, cliquez sur Envoyer/Recevoir, puis Travailler hors connexion pour l'enlever.<li>Fermez Outlook, attendez dix secondes, rouvrez-le. Redémarrez l'ordinateur au besoin.</ol>
<h3>Rien nulle part</h3>
<ul><li>Votre boîte est peut-être pleine : voyez <a href="/aide/ma-boite-de-courriel-est-pleine">Ma boîte de courriel est pleine</a>.<li>Demandez à l'expéditeur s'il a reçu un message de refus, et gardez-le : il dit pourquoi.<li>Consultez l'<a href="/reseau">état du réseau</a>.</ul>`,
    corps_en: `<h3>Look for the message first</h3>
<ol><li>Look in Junk, Other (beside Focused) and Deleted items.<li>Search for the sender’s name in all folders: a rule may have moved the message.<li>Open your email in a browser. If the message is there, Outlook has stopped updating.</ol>
<h3>Outlook has stopped updating</h3>
<ol><li>Look at the bottom of the window: “Working offline” or “Need password”? For the first, select Send/Receive, then Work Offline to turn it off.<li>Close Outlook, wait ten seconds, open it again. Restart the computer if needed.</ol>
<h3>Nothing anywhere</h3>
<ul><li>Your mailbox may be full: see <a href="/aide/my-mailbox-is-full">My mailbox is full</a>.<li>Ask the sender whether they got a rejection message, and keep it: it says why.<li>Look at the <a href="/reseau">network status</a>.</ul>`,
  },
  {
    categorie: 'courriel',
    titre: 'Ma boîte de courriel est pleine',
    titre_en: 'My mailbox is full',
    mots_cles: 'quota, espace, archive, nettoyer, gros messages, limite atteinte',
    mots_cles_en: 'quota, storage, archive, clean up, large messages, limit reached, over capacity',
    corps: `<p>Une boîte pleine refuse les nouveaux messages, et l'expéditeur reçoit un avis de refus. Faites de la place tout de suite :
<ol><li>Videz les dossiers Éléments supprimés et Courrier indésirable.<li>Triez les messages par taille : dans Outlook, cliquez sur Filtrer, puis Taille. Vingt messages prennent souvent la moitié de la place.<li>Sauvegardez les pièces jointes utiles dans vos fichiers partagés, puis supprimez le message.<li>Regardez aussi les Éléments envoyés, qu'on oublie.</ol>
<p>La place se libère en quelques minutes, parfois une heure.
<h3>Pour ne plus y revenir</h3>
<p>L'archive en ligne garde les vieux messages à part, et vous pouvez toujours y faire des recherches. Nous l'activons sur demande par un <a href="/appel-de-service">appel de service</a>. Envoyez un lien vers le fichier plutôt que le fichier : voyez <a href="/aide/une-piece-jointe-est-trop-lourde">Une pièce jointe est trop lourde</a>.`,
    corps_en: `<p>A full mailbox refuses new messages, and the sender gets a rejection notice. Make room right away:
<ol><li>Empty the Deleted items and Junk folders.<li>Sort messages by size: in Outlook, select Filter, then Size. Twenty messages often take half of the space.<li>Save useful attachments to your shared files, then delete the message.<li>Look at Sent items too, which everyone forgets.</ol>
<p>The space is freed within minutes, sometimes an hour.
<h3>So that it does not come back</h3>
<p>The online archive stores old messages separately, and you can still search them. We turn it on when you ask through a <a href="/appel-de-service">service call</a>. Send a link to a file rather than the file: see <a href="/aide/an-attachment-is-too-large">An attachment is too large</a>.`,
  },
  {
    categorie: 'courriel',
    titre: 'Mettre une réponse automatique d’absence',
    titre_en: 'Set an out-of-office automatic reply',
    mots_cles: 'vacances, absent du bureau, message automatique, congé, Outlook, répondeur de courriel',
    mots_cles_en: 'vacation, auto reply, out of office, OOO, leave, Outlook',
    corps: `<h3>Dans Outlook ou dans le navigateur</h3>
<ol><li>Ouvrez Fichier, puis Réponses automatiques. Dans le navigateur : la roue dentée, puis Courrier et Réponses automatiques.<li>Cochez la période, avec la date et l'heure du début et du retour : la réponse s'arrête d'elle-même.<li>Écrivez un message pour vos collègues, et un autre, plus court, pour les gens de l'extérieur.<li>Sauvegardez.</ol>
<h3>Un bon message</h3>
<blockquote><p>Bonjour, je suis absent jusqu'au 12 août inclusivement. Pour une question urgente, écrivez à soutien@example.com. I am away until August 12; for anything urgent, please write to the same address.</blockquote>
<ul><li>Dites le retour, et qui aide entre-temps.<li>Ne donnez ni votre lieu de vacances ni un numéro personnel : ces détails servent aux fraudeurs.</ul>
<p>Vous êtes déjà parti? Nous pouvons la mettre pour vous, à la demande de votre responsable.`,
    corps_en: `<h3>In Outlook or in the browser</h3>
<ol><li>Open File, then Automatic Replies. In the browser: the gear, then Mail and Automatic replies.<li>Select the period, with the day and time of the start and of your return: the reply stops by itself.<li>Write a message for your colleagues, and another, shorter one for people outside.<li>Save.</ol>
<h3>A good message</h3>
<blockquote><p>Hello, I am away until August 12 inclusive. For an urgent question, write to support@example.com. Je suis absente jusqu’au 12 août; pour une urgence, écrivez à la même adresse.</blockquote>
<ul><li>Say when you are back, and who helps in the meantime.<li>Give neither your vacation spot nor a personal number: such details serve scammers.</ul>
<p>You have already left? We can set it for you, at the request of your manager.`,
  },
  {
    categorie: 'courriel',
    titre: 'Une pièce jointe est trop lourde',
    titre_en: 'An attachment is too large',
    mots_cles: 'gros fichier, fichier trop gros, envoyer une vidéo, limite, refusé, lien de partage',
    mots_cles_en: 'big file, file too big, send a video, size limit, rejected, sharing link',
    corps: `<p>La plupart des boîtes refusent un message de plus de 20 à 25 Mo, et une pièce jointe grossit d'un tiers en chemin. N'envoyez pas le fichier : envoyez un lien.
<ol><li>Déposez le fichier dans OneDrive ou SharePoint.<li>Cliquez dessus avec le bouton droit, puis sur Partager.<li>Entrez l'adresse du destinataire : lui seul pourra l'ouvrir. Évitez « Toute personne ayant le lien » pour ce qui est confidentiel.<li>Choisissez Lecture seule s'il ne doit pas le modifier, et une date d'expiration.<li>Copiez le lien dans votre courriel.</ol>
<h3>Le destinataire ne peut pas ouvrir le lien</h3>
<p>Il doit utiliser l'adresse exacte que vous avez entrée; un code lui est envoyé à cette adresse. Voyez aussi <a href="/aide/partager-un-dossier-avec-quelqu-un-de-l-exterieur">Partager un dossier avec quelqu'un de l'extérieur</a>.
<p>Pour quelques photos, réduisez-les plutôt : Outlook propose « Redimensionner les images » au moment de les joindre.`,
    corps_en: `<p>Most mailboxes refuse a message over 20 to 25 MB, and an attachment grows by a third on its way. Do not send the file: send a link.
<ol><li>Put the file in OneDrive or SharePoint.<li>Right-click it, then select Share.<li>Enter the recipient’s address: only they will be able to open it. Avoid “Anyone with the link” for anything confidential.<li>Choose View only if they should not change it, and an expiration date.<li>Copy the link into your email.</ol>
<h3>The recipient cannot open the link</h3>
<p>They must use the exact address that you entered; a code is sent to that address. See also <a href="/aide/share-a-folder-with-someone-outside">Share a folder with someone outside</a>.
<p>For a few photos, make them smaller instead: Outlook offers “Resize images” when you attach them.`,
  },
  {
    categorie: 'courriel',
    titre: 'Lire le courriel d’un collègue absent ou une boîte partagée',
    titre_en: 'Read an absent colleague’s email or a shared mailbox',
    mots_cles: 'info@, délégation, accès à une boîte, remplacer, boîte commune, permission',
    mots_cles_en: 'info@, delegate access, shared inbox, replacement, permission, mailbox access',
    corps: `<h3>Une adresse commune, comme info@</h3>
<p>C'est une boîte partagée : chacun l'ouvre avec son propre compte, sans mot de passe de plus. Une fois le droit accordé, elle paraît d'elle-même dans Outlook, souvent dans l'heure. Fermez et rouvrez Outlook si elle tarde. Pour répondre au nom de la boîte, choisissez-la dans le champ De.
<h3>La boîte d'une personne absente</h3>
<p>Ne demandez pas son mot de passe. Le responsable fait un <a href="/appel-de-service">appel de service</a> avec :
<ul><li>la personne absente et celle qui la remplace;<li>le droit voulu : lire seulement, ou lire et répondre;<li>la date de fin, à laquelle nous retirons l'accès.</ul>
<p>Cet accès est noté. Le courriel d'un employé peut contenir des renseignements personnels : n'ouvrez que ce qui touche le travail.`,
    corps_en: `<h3>A shared address, such as info@</h3>
<p>It is a shared mailbox: each person opens it with their own account, without another password. Once access is granted it appears in Outlook by itself, often within the hour. Close and reopen Outlook if it takes longer. To reply in its name, choose it in the From field.
<h3>The mailbox of someone who is away</h3>
<p>Do not ask for their password. Their manager places a <a href="/appel-de-service">service call</a> with:
<ul><li>the absent person and the one who replaces them;<li>the access wanted: read only, or read and reply;<li>the last day, on which we remove the access.</ul>
<p>This access is recorded. An employee’s email may contain personal information: open only what concerns work.`,
  },
  {
    categorie: 'courriel',
    titre: 'Mes courriels arrivent dans les indésirables de mes clients',
    titre_en: 'My emails land in my customers’ junk folder',
    mots_cles: 'pourriel, spam, SPF, DKIM, DMARC, infolettre, réputation, message refusé',
    mots_cles_en: 'spam, SPF, DKIM, DMARC, newsletter, reputation, rejected mail, blocked',
    corps: `<h3>Ce que vous pouvez faire</h3>
<ul><li>Demandez à un client de marquer votre message « Non indésirable » et d'ajouter votre adresse à ses contacts.<li>Évitez les objets en majuscules, les messages faits d'une seule image et les liens raccourcis.<li>N'envoyez pas une infolettre de votre boîte : au-delà de quelques dizaines de destinataires, prenez un service d'envoi. La loi canadienne anti-pourriel exige le consentement et un lien de désabonnement.</ul>
<h3>Ce que nous vérifions</h3>
<p>Trois inscriptions au nom de votre domaine prouvent que le message vient de vous : SPF, DKIM et DMARC. Elles manquent souvent quand un site Web, un logiciel de facturation ou un numériseur envoie en votre nom.
<p>Transférez-nous en pièce jointe un message classé indésirable : ses en-têtes disent laquelle a échoué. Dites-nous aussi quels services envoient des courriels pour vous.`,
    corps_en: `<h3>What you can do</h3>
<ul><li>Ask a customer to mark your message “Not junk” and to add your address to their contacts.<li>Avoid subjects in capitals, messages made of a single picture and shortened links.<li>Do not send a newsletter from your mailbox: beyond a few dozen recipients, use a mailing service. Canada’s anti-spam law requires consent and an unsubscribe link.</ul>
<h3>What we check</h3>
<p>Three records in the name of your domain prove that a message comes from you: SPF, DKIM and DMARC. They are often missing when a website, invoicing software or a scanner sends in your name.
<p>Forward us, as an attachment, a message that was marked as junk: its headers say which one failed. Tell us too which services send email for you.`,
  },
]

export const securityArticles: SampleArticle[] = [
  {
    categorie: 'securite',
    titre: 'Mot de passe oublié ou expiré',
    titre_en: 'Forgotten or expired password',
    mots_cles: 'réinitialiser, compte verrouillé, bloqué, changer de mot de passe, ouvrir une session',
    mots_cles_en: 'reset, locked account, change password, sign in, cannot log in',
    corps: `<h3>Vous pouvez le faire vous-même</h3>
<ol><li>À l'écran de connexion, cliquez sur « Mot de passe oublié ».<li>Confirmez votre identité avec votre cellulaire ou l'application d'authentification.<li>Choisissez un nouveau mot de passe : voyez <a href="/aide/choisir-de-bons-mots-de-passe-et-les-retenir">Choisir de bons mots de passe</a>.<li>Entrez le nouveau mot de passe sur votre cellulaire et votre tablette aussi. Un appareil qui essaie l'ancien verrouille le compte.</ol>
<h3>Compte verrouillé</h3>
<p>Après plusieurs essais, le compte se bloque pour 15 minutes. Attendez sans réessayer : chaque essai recommence le délai.
<h3>Vous n'y arrivez pas</h3>
<p>Appelez-nous. Nous vous rappelons au numéro inscrit à votre dossier avant de changer un mot de passe : c'est ce qui empêche un inconnu de prendre votre compte. Nous ne vous demandons jamais votre mot de passe.`,
    corps_en: `<h3>You can do it yourself</h3>
<ol><li>On the sign-in screen, select “Forgot password”.<li>Confirm your identity with your cell phone or the authenticator app.<li>Choose a new password: see <a href="/aide/choose-good-passwords-and-remember-them">Choose good passwords</a>.<li>Enter the new password on your cell phone and tablet too. A device that tries the old one locks the account.</ol>
<h3>Locked account</h3>
<p>After several attempts the account is locked for 15 minutes. Wait without trying: each attempt starts the delay again.
<h3>It does not work</h3>
<p>Call us. We call you back at the number in your file before we change a password: this is what keeps a stranger from taking your account. We never ask for your password.`,
  },
  {
    categorie: 'securite',
    titre: 'Choisir de bons mots de passe et les retenir',
    titre_en: 'Choose good passwords and remember them',
    mots_cles: 'gestionnaire de mots de passe, phrase de passe, longueur, réutiliser, coffre-fort',
    mots_cles_en: 'password manager, passphrase, length, reuse, vault, strong password',
    corps: `<h3>Trois règles suffisent</h3>
<ul><li><strong>Long plutôt que compliqué.</strong> Quatre ou cinq mots sans lien, comme « tuque barrage violon mardi », se retiennent et résistent mieux que P@ssw0rd1.<li><strong>Un par compte.</strong> Quand un site se fait voler ses mots de passe, les fraudeurs les essaient partout le jour même.<li><strong>Jamais partagé.</strong> Ni par courriel, ni sur un papillon adhésif, ni avec nous.</ul>
<h3>Laissez un logiciel s'en souvenir</h3>
<p>Un gestionnaire de mots de passe les invente, les retient et les remplit. Vous ne retenez que celui du coffre. Il ne remplit rien sur un faux site : c'est aussi une alarme contre l'hameçonnage. Demandez-nous celui que votre entreprise utilise.
<h3>Faut-il le changer souvent?</h3>
<p>Non, sauf s'il a pu être vu ou volé. Ajoutez plutôt l'authentification à deux facteurs partout où elle est offerte : elle arrête presque tout, même avec un mot de passe volé.`,
    corps_en: `<h3>Three rules are enough</h3>
<ul><li><strong>Long rather than complicated.</strong> Four or five unrelated words, such as “canoe violin border Tuesday”, are easier to remember and stronger than P@ssw0rd1.<li><strong>One for each account.</strong> When a site has its passwords stolen, scammers try them everywhere the same day.<li><strong>Never shared.</strong> Not by email, not on a sticky note, not with us.</ul>
<h3>Let software remember them</h3>
<p>A password manager makes them up, remembers them and fills them in. You remember only the one of the vault. It fills in nothing on a fake site: it is an alarm against phishing too. Ask us which one your company uses.
<h3>Should I change it often?</h3>
<p>No, unless it may have been seen or stolen. Turn on two-factor authentication wherever it is offered instead: it stops almost everything, even with a stolen password.`,
  },
  {
    categorie: 'securite',
    titre: 'Nouveau cellulaire : récupérer l’authentification à deux facteurs',
    titre_en: 'New cell phone: get your two-factor authentication back',
    mots_cles: 'A2F, 2FA, MFA, Authenticator, code de vérification, changement de téléphone, codes de récupération',
    mots_cles_en: '2FA, MFA, Authenticator, verification code, changed phone, recovery codes',
    corps: `<h3>Vous avez encore l'ancien cellulaire</h3>
<ol><li>Installez l'application d'authentification sur le nouveau.<li>Sur un ordinateur, ouvrez les paramètres de sécurité de votre compte et choisissez Ajouter une méthode de connexion.<li>Numérisez le code QR avec le nouveau cellulaire, puis faites le test proposé.<li>Retirez l'ancien de la liste, et seulement alors effacez-le.</ol>
<p>Gardez l'ancien cellulaire allumé au Wi-Fi jusqu'à la fin : c'est lui qui approuve le changement.
<h3>Vous ne l'avez plus</h3>
<ul><li>Utilisez un code de récupération, si vous en avez imprimé.<li>Sinon, appelez-nous. Nous vous rappelons au numéro de votre dossier, ou votre responsable confirme votre identité, puis nous remettons l'A2F à zéro.<li>Perdu ou volé? Lisez tout de suite <a href="/aide/j-ai-perdu-mon-cellulaire-ou-mon-portable">J'ai perdu mon cellulaire ou mon portable</a>.</ul>
<p>Une demande d'approbation que vous n'avez pas faite? Refusez-la, changez votre mot de passe et avisez-nous.`,
    corps_en: `<h3>You still have the former cell phone</h3>
<ol><li>Install the authenticator app on the new one.<li>On a computer, open the security settings of your account and choose Add sign-in method.<li>Scan the QR code with the new cell phone, then do the test it offers.<li>Remove the former one from the list, and only then erase it.</ol>
<p>Keep the former cell phone on and connected to Wi-Fi until the end: it approves the change.
<h3>You no longer have it</h3>
<ul><li>Use a recovery code, if you printed some.<li>Otherwise, call us. We call you back at the number in your file, or your manager confirms who you are, then we reset 2FA.<li>Lost or stolen? Read <a href="/aide/i-lost-my-cell-phone-or-laptop">I lost my cell phone or laptop</a> right away.</ul>
<p>A request to approve that you did not make? Decline it, change your password and let us know.`,
  },
  {
    categorie: 'securite',
    titre: 'Message louche : reconnaître l’hameçonnage et quoi faire',
    titre_en: 'Suspicious message: recognize phishing and what to do',
    mots_cles: 'phishing, fraude, courriel frauduleux, faux courriel, texto, arnaque, lien suspect, virement',
    mots_cles_en: 'phishing, scam, fraud, fake email, text message, suspicious link, spoofed',
    corps: `<h3>Quatre signes</h3>
<ul><li>On vous presse : « compte suspendu aujourd'hui », « dernier avis ».<li>On demande un mot de passe, un code, des cartes-cadeaux ou un virement.<li>L'adresse de l'expéditeur ne correspond pas au nom. Passez la souris sur un lien sans cliquer : l'adresse véritable paraît au bas de la fenêtre.<li>Le message est inattendu, même d'une personne connue.</ul>
<h3>Quoi faire</h3>
<ol><li>Ne cliquez pas, n'ouvrez pas la pièce jointe, ne répondez pas.<li>Vérifiez par un autre chemin : appelez la personne à un numéro que vous connaissez déjà.<li>Signalez le message avec le bouton Signaler d'Outlook, ou transférez-le à notre responsable de la sécurité, dont l'adresse est sur la <a href="/">page d'accueil</a>.<li>Supprimez-le.</ol>
<p>Déjà cliqué? Personne ne vous en voudra : suivez <a href="/aide/j-ai-clique-sur-un-lien-frauduleux">J'ai cliqué sur un lien frauduleux</a> sans attendre.`,
    corps_en: `<h3>Four signs</h3>
<ul><li>It rushes you: “account suspended today”, “last notice”.<li>It asks for a password, a code, gift cards or a transfer.<li>The sender’s address does not match the name. Hover over a link without clicking: the real address shows at the bottom of the window.<li>The message is unexpected, even from someone you know.</ul>
<h3>What to do</h3>
<ol><li>Do not click, do not open the attachment, do not reply.<li>Check another way: call the person at a number that you already know.<li>Report the message with Outlook’s Report button, or forward it to our security contact, whose address is on the <a href="/">home page</a>.<li>Delete it.</ol>
<p>Already clicked? Nobody will blame you: follow <a href="/aide/i-clicked-on-a-fraudulent-link">I clicked on a fraudulent link</a> right away.`,
  },
  {
    categorie: 'securite',
    titre: 'J’ai cliqué sur un lien frauduleux',
    titre_en: 'I clicked on a fraudulent link',
    mots_cles: 'piraté, compte compromis, virus, rançongiciel, mot de passe donné, urgence',
    mots_cles_en: 'hacked, compromised account, virus, ransomware, gave my password, emergency',
    corps: `<p>Agissez dans les dix minutes, sans honte : la vitesse compte plus que tout.
<ol><li><strong>Vous avez entré un mot de passe?</strong> Changez-le tout de suite, d'un autre appareil. Changez-le aussi partout où vous utilisez le même.<li><strong>Vous avez ouvert un fichier ou installé quelque chose?</strong> Débranchez le câble réseau ou coupez le Wi-Fi. N'éteignez pas l'ordinateur : ses traces nous servent.<li><strong>Vous avez donné un numéro de carte ou fait un virement?</strong> Appelez votre banque, au numéro écrit sur la carte.<li><strong>Appelez-nous</strong>, jour et nuit. Un formulaire ou un courriel attendrait trop.<li>Notez l'heure, le message et ce que vous avez entré. Ne supprimez rien.</ol>
<h3>Ce que nous faisons</h3>
<p>Nous fermons toutes les sessions du compte, cherchons des règles de transfert ajoutées par le fraudeur, analysons l'appareil et vérifions si d'autres personnes ont reçu le message. Si des renseignements personnels sont touchés, votre entreprise doit tenir un registre et, parfois, aviser les personnes : nous vous aidons.`,
    corps_en: `<p>Act within ten minutes, and do not be ashamed: speed matters more than anything.
<ol><li><strong>Did you enter a password?</strong> Change it at once, from another device. Change it too wherever you use the same one.<li><strong>Did you open a file or install something?</strong> Unplug the network cable or turn off Wi-Fi. Do not turn off the computer: we need its traces.<li><strong>Did you give a card number or make a transfer?</strong> Call your bank, at the number written on the card.<li><strong>Call us</strong>, day or night. A form or an email would take too long.<li>Note the time, the message and what you entered. Delete nothing.</ol>
<h3>What we do</h3>
<p>We end all sessions of the account, look for forwarding rules added by the scammer, scan the device and check whether others received the message. If personal information is affected, your company must keep a register and sometimes notify people: we help you.`,
  },
  {
    categorie: 'securite',
    titre: 'Une fenêtre ou un appel dit que mon ordinateur est infecté',
    titre_en: 'A window or a call says that my computer is infected',
    mots_cles: 'faux technicien, Microsoft, alerte, fenêtre surgissante, sirène, prise de contrôle, arnaque du soutien',
    mots_cles_en: 'fake technician, Microsoft, alert, pop-up, siren, remote control, tech support scam',
    corps: `<p>Ni Microsoft, ni Apple, ni votre banque n'appellent pour un virus. C'est un piège, même si l'écran hurle.
<h3>La fenêtre</h3>
<ol><li>N'appelez pas le numéro affiché et ne cliquez sur rien.<li>Fermez le navigateur : Alt+F4, ou Ctrl+Maj+Échap, puis Fin de tâche. Sur un Mac : Cmd+Option+Échap.<li>Rouvrez-le sans restaurer les pages.<li>Signalez-nous la page que vous visitiez.</ol>
<h3>L'appel</h3>
<p>Raccrochez. Le numéro affiché peut être falsifié, même le nôtre. Un vrai technicien de chez nous donne votre numéro de demande et attend que vous le rappeliez au numéro de ce site.
<h3>Vous avez laissé quelqu'un prendre le contrôle</h3>
<p>Débranchez Internet, appelez-nous, puis votre banque si vous avez ouvert son site. Suivez <a href="/aide/j-ai-clique-sur-un-lien-frauduleux">ces étapes</a>.`,
    corps_en: `<p>Neither Microsoft, nor Apple, nor your bank calls about a virus. It is a trap, even if the screen screams.
<h3>The window</h3>
<ol><li>Do not call the number shown and click on nothing.<li>Close the browser: Alt+F4, or Ctrl+Shift+Esc, then End task. On a Mac: Cmd+Option+Esc.<li>Open it again without restoring the pages.<li>Tell us which page you were visiting.</ol>
<h3>The call</h3>
<p>Hang up. The number displayed can be faked, even ours. A real technician of ours gives your request number and waits for you to call back at the number of this site.
<h3>You let someone take control</h3>
<p>Disconnect from the Internet, call us, then your bank if you opened its site. Follow <a href="/aide/i-clicked-on-a-fraudulent-link">these steps</a>.`,
  },
  {
    categorie: 'securite',
    titre: 'Un fournisseur ou le patron demande un virement ou change de compte bancaire',
    titre_en: 'A supplier or the boss asks for a transfer or changes bank accounts',
    mots_cles: 'fraude du président, faux fournisseur, facture, dépôt direct, cartes-cadeaux, comptabilité',
    mots_cles_en: 'CEO fraud, fake supplier, invoice fraud, direct deposit, gift cards, accounting, wire',
    corps: `<p>C'est la fraude la plus coûteuse pour une petite entreprise, et elle passe souvent par une vraie boîte de courriel piratée : l'adresse est la bonne, le ton aussi.
<h3>La règle qui l'arrête</h3>
<ul><li>Tout changement de compte bancaire se confirme de vive voix, à un numéro déjà au dossier, jamais à celui du message.<li>Deux personnes approuvent un paiement au-dessus du montant que vous fixez.<li>L'urgence et le secret (« je suis en réunion, n'en parle à personne ») sont des raisons de s'arrêter.<li>Personne n'achète de cartes-cadeaux pour le patron.</ul>
<h3>Le virement est parti</h3>
<ol><li>Appelez votre banque immédiatement et demandez le rappel du virement : les premières heures comptent.<li>Appelez-nous : une boîte est peut-être piratée.<li>Signalez la fraude à la police locale et au Centre antifraude du Canada.</ol>`,
    corps_en: `<p>It is the most expensive fraud for a small business, and it often comes from a real mailbox that was hacked: the address is right, and so is the tone.
<h3>The rule that stops it</h3>
<ul><li>Every change of bank account is confirmed by voice, at a number already on file, never the one in the message.<li>Two people approve a payment above the amount that you set.<li>Urgency and secrecy (“I am in a meeting, tell no one”) are reasons to stop.<li>Nobody buys gift cards for the boss.</ul>
<h3>The transfer has been sent</h3>
<ol><li>Call your bank immediately and ask them to recall the transfer: the first hours count.<li>Call us: a mailbox may have been hacked.<li>Report the fraud to the local police and to the Canadian Anti-Fraud Centre.</ol>`,
  },
  {
    categorie: 'securite',
    titre: 'J’ai perdu mon cellulaire ou mon portable',
    titre_en: 'I lost my cell phone or laptop',
    mots_cles: 'volé, vol, égaré, ordinateur portable, effacer à distance, localiser, chiffrement',
    mots_cles_en: 'stolen, theft, missing, notebook, remote wipe, locate, encryption',
    corps: `<ol><li><strong>Appelez-nous tout de suite</strong>, même la nuit, même si vous pensez le retrouver. Nous fermons les sessions et pouvons verrouiller ou effacer l'appareil à distance, tant qu'il est en ligne.<li>Cherchez-le : « Localiser » sur iPhone et Mac, « Localiser mon appareil » sur Android et Windows. N'allez pas le reprendre seul.<li>Changez le mot de passe de votre compte de travail.<li>Demandez à votre fournisseur de cellulaire de suspendre la ligne.<li>S'il a été volé, faites une déclaration à la police; l'assureur demandera son numéro.</ol>
<h3>Dites-nous</h3>
<p>Où et quand vous l'avez vu la dernière fois, s'il était verrouillé, et quels fichiers s'y trouvaient. Un portable chiffré et verrouillé protège ses données; s'il ne l'était pas, ce peut être un incident de confidentialité à inscrire au registre.
<p>Il est retrouvé? Ne le rebranchez pas avant qu'un technicien l'ait vérifié.`,
    corps_en: `<ol><li><strong>Call us right away</strong>, even at night, even if you think you will find it. We end its sessions and can lock or erase the device remotely, as long as it is online.<li>Look for it: “Find My” on iPhone and Mac, “Find my device” on Android and Windows. Do not go and get it alone.<li>Change the password of your work account.<li>Ask your cell provider to suspend the line.<li>If it was stolen, report it to the police; the insurer will ask for the report number.</ol>
<h3>Tell us</h3>
<p>Where and when you saw it last, whether it was locked, and which files it held. A laptop that is encrypted and locked protects its data; if it was not, it may be a confidentiality incident to enter in the register.
<p>Found it? Do not connect it again before a technician has checked it.`,
  },
]
