import { Link } from '#src/ui/components/link.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { lateDemandTexts } from '../late-demand-texts.ts'

/** On the landing screen: what people asked about their information, and should have been answered. */
export function LateDemandsCard({ count }: { count: number }) {
  const t = useTexts(lateDemandTexts)
  return (
    <section aria-labelledby="counter-demands" className="card counter-card">
      <header>
        <h2 id="counter-demands">{t('late', { count })}</h2>
        <Link to="/admin/registre" className="counter-link">
          {t('see')}
        </Link>
      </header>
      <p className="counter-text text-ink-2">{t('law')}</p>
    </section>
  )
}
