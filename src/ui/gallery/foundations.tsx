import { useTexts } from '../language.tsx'
import { RichText } from '../rich-text/rich-text.tsx'
import { galleryTexts } from './gallery-texts.ts'
import counterScene from '../illustrations/counter.svg'
import { Section } from './section.tsx'

const swatches = [
  ['paper', 'bg-paper'],
  ['surface', 'bg-surface'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['ink', 'bg-ink'],
  ['ink-2', 'bg-ink-2'],
  ['brand', 'bg-brand'],
  ['brand-soft', 'bg-brand-soft'],
  ['lamp', 'bg-lamp'],
  ['ok', 'bg-ok'],
  ['ok-soft', 'bg-ok-soft'],
  ['warn', 'bg-warn'],
  ['warn-soft', 'bg-warn-soft'],
  ['err', 'bg-err'],
  ['err-soft', 'bg-err-soft'],
  ['night', 'bg-night'],
  ['alarm', 'bg-alarm'],
] as const

const scenes = Object.values(
  import.meta.glob<string>('../illustrations/*.svg', { eager: true, import: 'default', query: '?url' }),
)

const sample =
  '<h3>h3</h3><p><strong>strong</strong>, <em>em</em>, <u>u</u>, <s>s</s>, <a href="/reseau">a</a></p><ul><li>ul</li><li>li</li></ul><ol><li>ol</li></ol><blockquote>blockquote</blockquote>'

export function GalleryFoundations() {
  const t = useTexts(galleryTexts)
  return (
    <>
      <Section title={t('type')}>
        <p className="text-4xl font-extrabold tracking-tight">{t('title')}</p>
        <p className="text-3xl font-extrabold">{t('title')}</p>
        <p className="text-xl font-extrabold">{t('title')}</p>
        <p className="max-w-prose text-lg">{t('paragraph')}</p>
        <p className="max-w-prose">{t('paragraph')}</p>
        <p className="max-w-prose text-sm text-ink-2">{t('paragraph')}</p>
      </Section>
      <Section title={t('colours')}>
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
          {swatches.map(([name, className]) => (
            <li key={name} className="text-sm">
              <span className={`block h-16 rounded-field border border-line ${className}`} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t('pictures')}>
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          <img src={`${counterScene}#out`} width="640" height="600" alt={t('lampOff')} className="scene" />
          {scenes.map((scene) => (
            <img key={scene} src={scene} width="640" height="480" alt="" loading="lazy" className="scene" />
          ))}
        </div>
      </Section>
      <Section title={t('rich')}>
        <RichText html={sample} />
      </Section>
    </>
  )
}
