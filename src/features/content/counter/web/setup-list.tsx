import { defineTexts } from '#src/lib/language/texts.ts'
import { Holes } from '#src/ui/components/holes.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { SetupStep } from '../contract.ts'

const texts = defineTexts({
  fr: { title: 'Reste à configurer', progress: '{done} sur {total}', configure: 'Configurer', steps: 'Configuration' },
  en: { title: 'Left to set up', progress: '{done} of {total}', configure: 'Set up', steps: 'Setup' },
})

/** What a new installation still needs, with what happens until then; nothing at all once everything is done. */
export function SetupList({ steps }: { steps: readonly SetupStep[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const open = steps.filter((step) => !step.is_done)
  if (open.length === 0) return null
  const next = open[0]
  const holes = steps.map((step) => ({
    label: step.short[language],
    mark: step.is_done ? ('done' as const) : step === next ? ('now' as const) : ('next' as const),
  }))
  return (
    <section aria-labelledby="setup" className="card counter-card">
      <header>
        <h2 id="setup">{t('title')}</h2>
        <span className="text-sm text-ink-2">
          <span>{t('progress', { done: steps.length - open.length, total: steps.length })}</span>
        </span>
      </header>
      {steps.length > 1 && (
        <div className="counter-holes">
          <Holes label={t('steps')} holes={holes} />
        </div>
      )}
      <ul className="counter-rows">
        {open.map(({ name, label, hint, path }) => (
          <li key={name}>
            <div className="min-w-0 grow">
              <p className="font-bold">{label[language]}</p>
              <p className="text-sm text-ink-2">{hint[language]}</p>
            </div>
            {path && (
              <Link to={path} className="counter-link" aria-label={`${t('configure')} : ${label[language]}`}>
                {t('configure')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
