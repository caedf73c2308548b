/** What other programs put on the clipboard, shortened but with the markup that matters, and what it becomes. */

type Clip = { html?: string; text?: string; becomes: string; says?: RegExp }

const word = (body: string) => `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style>
<!-- p.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} --></style></head><body lang=FR-CA>
<!--StartFragment-->${body}<!--EndFragment--></body></html>`

const google = (body: string) =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-6a1f0c2e-7fff">${body}</b>`

const plainSpan =
  'font-size:11pt;font-family:Arial,sans-serif;font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline;'
const leftOut = /^Les suppressions suivies, les commentaires et les notes de bas de page n’ont pas été collés\.$/

export const clips: Record<string, Clip> = {
  'tracked changes of Word': {
    html: word(`<p class=MsoNormal>Horaire de <span class=msoDel><del cite="mailto:Luc%20Tremblay" datetime="2026-11-20T09:12">jour</del></span><span
class=msoIns><ins cite="mailto:Luc%20Tremblay" datetime="2026-11-20T09:12">soir</ins></span>, <b>à Québec</b>.<o:p></o:p></p>
<p class=MsoNormal><span class=msoDel><del cite="mailto:Luc%20Tremblay" datetime="2026-11-20T09:13">Une phrase entière de trop.<o:p></o:p></del></span></p>`),
    becomes: '<p>Horaire de soir, <strong>à Québec</strong>.</p>',
    says: leftOut,
  },
  'comments of Word': {
    html: word(`<p class=MsoNormal><a style='mso-comment-reference:LT_1;mso-comment-date:20261120T0915'>Salaire selon
l’échelle</a><span class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor
id="_anchor_1" onmouseover="msoCommentShow('_anchor_1','_com_1')" href="#_msocom_1" language=JavaScript
name="_msoanchor_1">[LT1]</a><![endif]><span style='mso-special-character:comment'>&nbsp;</span></span></span>.</p>
<div style='mso-element:comment-list'><![if !supportAnnotations]><hr class=msocomoff align=left size=1 width="33%"><![endif]>
<div style='mso-element:comment'><![if !supportAnnotations]><div id="_com_1" class=msocomtxt language=JavaScript><![endif]>
<p class=MsoCommentText><span class=MsoCommentReference><a href="#_msoanchor_1" class=msocomoff>[LT1]</a></span>Est-ce encore vrai?</p></div></div></div>`),
    becomes: '<p>Salaire selon l’échelle.</p>',
    says: leftOut,
  },
  'footnotes of Word': {
    html: word(`<p class=MsoNormal>Prime de nuit<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span
class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span
class=MsoFootnoteReference>[1]</span><![endif]></span></span></a> et de fin de semaine.</p>
<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]>
<div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1"
name="_ftn1" title=""><span class=MsoFootnoteReference>[1]</span></a> Convention de 2024.</p></div></div>`),
    becomes: '<p>Prime de nuit et de fin de semaine.</p>',
    says: leftOut,
  },
  'raised and lowered text of Word': {
    html: word(`<p class=MsoNormal>Le 1<sup>er</sup> mai, H<sub>2</sub>O et un <del>ancien</del> prix</p>`),
    becomes: '<p>Le 1<sup>er</sup> mai, H<sub>2</sub>O et un <s>ancien</s> prix</p>',
  },
  'lists and bold of Word': {
    html: word(`<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]><b>Appels</b></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o </span>de nuit</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>Clavardage</p>`),
    becomes: '<ul><li><p><strong>Appels</strong></p><ul><li><p>de nuit</p></li></ul></li><li><p>Clavardage</p></li></ul>',
  },
  'a table of Word with merged cells': {
    html: word(`<table class=MsoTableGrid border=1 cellspacing=0><thead><tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
<td width=208 colspan=2 style='border:solid windowtext 1.0pt'><p class=MsoNormal><b>Horaire<o:p></o:p></b></p></td></tr></thead>
<tr><td width=208><p class=MsoNormal>Lundi<o:p></o:p></p></td><td width=208><p class=MsoNormal>8 h<o:p></o:p></p></td></tr></table>`),
    becomes:
      '<table><tbody><tr><th scope="col"><p><strong>Horaire</strong></p></th><th scope="col"><p></p></th></tr>' +
      '<tr><td><p>Lundi</p></td><td><p>8 h</p></td></tr></tbody></table>',
  },
  'a document of Google': {
    html: google(`<p dir="ltr" style="line-height:1.38;"><span style="${plainSpan}">Le 1</span><span
style="font-size:0.6em;vertical-align:super;">er</span><span style="${plainSpan}"> mai, </span><span
style="font-weight:700;vertical-align:baseline;">postulez</span><span style="${plainSpan}"> </span><a
href="https://www.google.com/url?q=https://example.com/emploi?a%3D1&amp;sa=D&amp;source=editors&amp;ust=1764&amp;usg=AOv" style="text-decoration:none;"><span
style="color:#1155cc;text-decoration:underline;vertical-align:baseline;">en ligne</span></a></p><br />
<ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span style="${plainSpan}">Appels</span></p></li></ul>`),
    becomes:
      '<p>Le 1<sup>er</sup> mai, <strong>postulez</strong> <a href="https://example.com/emploi?a=1">en ligne</a></p>' +
      '<ul><li><p>Appels</p></li></ul>',
  },
  'a table and a picture of Google': {
    html: google(`<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse"><colgroup><col
width="300" /><col width="300" /></colgroup><tbody><tr style="height:0pt"><td style="border:solid #000 1pt"><p dir="ltr"><span
style="${plainSpan}">Mardi</span></p></td><td style="border:solid #000 1pt"><p dir="ltr"><span style="${plainSpan}">9 h</span></p></td></tr></tbody></table></div><p
dir="ltr"><span style="${plainSpan}"><span style="border:none;display:inline-block;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nX?key=x"
width="602" height="400" /></span></span></p>`),
    becomes: '<table><tbody><tr><td><p>Mardi</p></td><td><p>9 h</p></td></tr></tbody></table>',
    says: /^Les images n’ont pas été collées\.$/,
  },
  'a mail of Outlook': {
    html: `<html><body><div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt;">Voir <a
href="https://can01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Femploi&amp;data=05%7C02%7Crh%40example.com%7C08dd&amp;sdata=x%3D&amp;reserved=0"
originalsrc="https://example.com/emploi" data-auth="NotApplicable">l’affichage</a> ou écrire à rh@example.com, www.example.com.</div>
<div class="elementToProof">- Appels</div><div class="elementToProof"><br></div><div class="elementToProof">- <b>Clavardage</b></div>
<div class="elementToProof">Merci</div><img width="1" height="1" src="https://mail.example.com/lu.gif"></body></html>`,
    becomes:
      '<p>Voir <a href="https://example.com/emploi">l’affichage</a> ou écrire à <a href="mailto:rh@example.com">rh@example.com</a>, ' +
      '<a href="https://www.example.com">www.example.com</a>.</p><ul><li><p>Appels</p></li><li><p><strong>Clavardage</strong></p></li></ul><p>Merci</p>',
  },
  'lines with line breaks': {
    html: '<div>Il faut :<br>1. appeler<br>2. noter<br>Merci</div>',
    becomes: '<p>Il faut :</p><ol><li><p>appeler</p></li><li><p>noter</p></li></ol><p>Merci</p>',
  },
  'a plain text': {
    text: 'Avantages :\r\n- télétravail\r\n- 5 semaines\r\n\r\nÉcrire à rh@example.com <avant> le 1. mai',
    becomes:
      '<p>Avantages :</p><ul><li><p>télétravail</p></li><li><p>5 semaines</p></li></ul>' +
      '<p>Écrire à <a href="mailto:rh@example.com">rh@example.com</a> &lt;avant&gt; le 1. mai</p>',
  },
  'a plain text without lists': { text: '- un seul tiret\n2 < 3', becomes: '<p>- un seul tiret</p><p>2 &lt; 3</p>' },
}
