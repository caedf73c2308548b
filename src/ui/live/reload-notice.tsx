import { Button } from '../components/button.tsx'
import { useTexts } from '../language.tsx'
import { texts } from '../page/site-texts.ts'

/** Offers to reload after an update of the site. Bundled with each page, because the files of the old build are gone. */
export function ReloadNotice({ shown }: { shown: boolean }) {
  const t = useTexts(texts)
  return (
    <div role="status" className="fixed end-4 bottom-20 start-4 z-20 sm:end-auto sm:bottom-4 print:hidden">
      {shown && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-lamp px-5 py-3 text-on-lamp shadow-float">
          <span>{t('outdated')}</span>
          <Button variant="secondary" size="small" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        </p>
      )}
    </div>
  )
}
