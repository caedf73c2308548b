import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { privacyTexts } from '../texts.ts'

/** A register leaves the product on paper, or for a spreadsheet. */
export function RegisterActions({ register }: { register: 'demands' | 'incidents' }) {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  return (
    <>
      <Button variant="secondary" onClick={() => print()}>
        {t('print')}
      </Button>
      <ButtonAnchor variant="secondary" href={`/api/privacy/${register}.csv?language=${language}`} download>
        {t('exportCsv')}
      </ButtonAnchor>
    </>
  )
}
