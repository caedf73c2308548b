/** Drawn portraits of the invented team, in the colours of the illustrations; only in the sample content. */
type Portrait = {
  ground: string
  skin: string
  /** Darker: neck, nose and ears. */
  shade: string
  hair: string
  clothes: string
  cut: keyof typeof cuts
  collar: keyof typeof collars
  extra?: keyof typeof extras
}

/** Behind the head, and over the forehead. */
const cuts = {
  long: [
    'M92 152C84 70 118 44 160 44s76 26 68 108c-2 44-10 74-26 92h-84c-16-18-24-48-26-92z',
    'M106 146c-6-52 18-82 56-82 36 0 58 28 52 80-20-6-38-20-48-38-14 22-36 36-60 40z',
  ],
  bob: [
    'M96 170C84 82 112 46 160 46s76 36 64 124c-1 18-8 32-18 38h-92c-10-6-17-20-18-38z',
    'M104 150c-4-56 20-84 56-84s60 28 56 84c-6-18-14-30-22-38-26 8-56 8-72-2-8 10-14 22-18 40z',
  ],
  bun: [
    'M160 22a26 26 0 0 1 22 40c30 12 40 44 34 88H104c-6-44 4-76 34-88a26 26 0 0 1 22-40z',
    'M106 146c-6-52 18-80 54-80s60 28 54 80c-8-28-24-46-54-48-30 2-46 20-54 48z',
  ],
  short: ['', 'M102 150c-8-58 16-92 58-92 44 0 66 34 58 92l-12-34c-24 2-46-4-58-16-10 12-22 18-34 20z'],
  curly: [
    'M97 156c-4-52 20-86 63-86s67 34 63 86z',
    'M100 142a24 24 0 0 1 4-40 26 26 0 0 1 26-34 30 30 0 0 1 46-8 26 26 0 0 1 36 26 24 24 0 0 1 8 54c-4-14-8-22-12-28-32 4-64 2-94-2-6 8-10 18-14 32z',
  ],
  receding: [
    'M102 150c-4-16-2-34 4-46l10 4-4 42zm116 0c4-16 2-34-4-46l-10 4 4 42z',
    'M106 116c2-36 24-54 54-54s52 18 54 54c-10-16-28-22-54-22s-44 6-54 22z',
  ],
} as const

const collars = {
  shirt: '<path fill="#fff" d="m134 230 26 34 26-34 16 10-18 40-24-20-24 20-18-40z"/>',
  round: '<path fill="none" stroke="#fff" stroke-width="7" opacity=".7" d="M128 236c10 30 54 30 64 0"/>',
  badge:
    '<path fill="none" stroke="#ffb224" stroke-width="5" d="m130 236 30 56 30-56"/><rect x="140" y="288" width="40" height="40" rx="5" fill="#fff"/>',
} as const

const extras = {
  glasses:
    '<g fill="none" stroke="#14213d" stroke-width="5"><circle cx="138" cy="154" r="17"/><circle cx="182" cy="154" r="17"/><path d="M155 152q5-4 10 0M104 148l17 3m95-3-17 3"/></g>',
  headset:
    '<path fill="none" stroke="#14213d" stroke-width="10" d="M100 152c-8-112 128-112 120 0"/><g fill="#14213d"><rect x="88" y="138" width="20" height="42" rx="9"/><rect x="212" y="138" width="20" height="42" rx="9"/><circle cx="138" cy="212" r="7"/></g><path fill="none" stroke="#14213d" stroke-width="5" stroke-linecap="round" d="M98 178c2 24 18 36 38 34"/>',
  beard: '',
} as const

function drawPortrait({ ground, skin, shade, hair, clothes, cut, collar, extra }: Portrait) {
  const [behind, over] = cuts[cut]
  const beard = `<path fill="${hair}" d="M106 152c2 50 22 74 54 74s52-24 54-74c-8 22-18 30-30 28-8-6-40-6-48 0-12 2-22-6-30-28zm36 40q18-8 36 0-4 14-18 14t-18-14z"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="640" height="640"><path fill="${ground}" d="M0 0h320v320H0z"/><circle cx="160" cy="150" r="128" fill="#fff" opacity=".35"/><path fill="${hair}" d="${behind}"/><path fill="${clothes}" d="M40 320c2-58 34-84 92-92h56c58 8 90 34 92 92z"/><path fill="${shade}" d="M138 200h44v40c-8 18-36 18-44 0z"/>${collars[collar]}<circle cx="104" cy="158" r="13" fill="${shade}"/><circle cx="216" cy="158" r="13" fill="${shade}"/><ellipse cx="160" cy="150" rx="54" ry="64" fill="${skin}"/>${extra === 'beard' ? beard : ''}<path fill="${hair}" d="${over}"/><g fill="#c9694a" opacity=".35"><circle cx="126" cy="176" r="10"/><circle cx="194" cy="176" r="10"/></g><g fill="#14213d"><circle cx="138" cy="154" r="6"/><circle cx="182" cy="154" r="6"/></g><g fill="none" stroke="#14213d" stroke-linecap="round"><path stroke-width="4" opacity=".75" d="M129 137q9-6 17-1m28 0q9-5 17 1"/><path stroke-width="5" d="M142 184q18 18 36 0"/></g><path fill="none" stroke="${shade}" stroke-width="5" stroke-linecap="round" d="m160 156-4 12h6"/>${extra ? extras[extra] : ''}</svg>`
}

const light = { skin: '#f0c8a4', shade: '#d9a47c' }
const tan = { skin: '#d99a6c', shade: '#c07f52' }
const brown = { skin: '#b57a4e', shade: '#98623b' }

/** By the email address of `sampleContent.employees`. */
export const samplePortraits: Record<string, string> = {
  'zoe.lavallee@example.com': drawPortrait({
    ...tan,
    ground: '#fbe3b4',
    hair: '#2f1d14',
    clothes: '#1746a2',
    cut: 'bob',
    collar: 'badge',
    extra: 'headset',
  }),
  'marc-andre.pelletier@example.com': drawPortrait({
    ...light,
    ground: '#e6edfb',
    hair: '#6b6f7a',
    clothes: '#14213d',
    cut: 'receding',
    collar: 'shirt',
    extra: 'glasses',
  }),
  'annick.tremblay@example.com': drawPortrait({
    ...light,
    ground: '#e3f4eb',
    hair: '#a5562a',
    clothes: '#18794e',
    cut: 'long',
    collar: 'round',
  }),
  'samuel.nguyen@example.com': drawPortrait({
    skin: '#eabf92',
    shade: '#cf9c69',
    ground: '#fbe3b4',
    hair: '#1c1a1f',
    clothes: '#4a5670',
    cut: 'short',
    collar: 'round',
    extra: 'glasses',
  }),
  'mireille.gagnon@example.com': drawPortrait({
    ...light,
    ground: '#fce8e6',
    hair: '#c9ccd4',
    clothes: '#8e1c16',
    cut: 'bun',
    collar: 'round',
    extra: 'headset',
  }),
  'karim.haddad@example.com': drawPortrait({
    ...brown,
    ground: '#e6edfb',
    hair: '#1c1410',
    clothes: '#1746a2',
    cut: 'short',
    collar: 'shirt',
    extra: 'beard',
  }),
  'josee.bouchard@example.com': drawPortrait({
    ...tan,
    ground: '#fff1dc',
    hair: '#4a2a17',
    clothes: '#a14a00',
    cut: 'long',
    collar: 'badge',
    extra: 'glasses',
  }),
  'david.lachance@example.com': drawPortrait({
    skin: '#7c4f30',
    shade: '#633c22',
    ground: '#e3f4eb',
    hair: '#14100e',
    clothes: '#18794e',
    cut: 'curly',
    collar: 'badge',
    extra: 'beard',
  }),
}
