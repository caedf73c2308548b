import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { withoutCount } from '#src/lib/text/counted-title.ts'
import { buttonTexts } from '../texts.ts'

type AdminHeadProps = {
  title: string
  subtitle?: ReactNode
  /** Target of Retour; defaults to one history step back. */
  backTo?: string
  /** Target of the back button when there is no history. */
  home?: string
  actions?: ReactNode
  /** Keeps the buttons visible while a long form scrolls. */
  sticky?: boolean
}

/** Title and buttons of an admin page; all but the panel have Retour. */
export function AdminHead({ title, subtitle, backTo, home = '/admin/panel', actions, sticky }: AdminHeadProps) {
  const t = useTexts(buttonTexts)
  const navigate = useNavigate()
  const goBack = useBack(home)
  useAdminTitle(title)
  const handleBack = () => (backTo ? void navigate(backTo) : goBack())
  return (
    <div className={`mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 ${sticky ? 'entry-head' : ''}`}>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h1 className="text-3xl">{title}</h1>
        {subtitle && <p className="text-sm text-ink-2">{subtitle}</p>}
      </div>
      <div className={`flex flex-wrap gap-3 ${sticky ? 'entry-actions' : ''}`}>
        <Button variant="secondary" onClick={handleBack}>
          {t('back')}
        </Button>
        {actions}
      </div>
    </div>
  )
}

/** Title of the tab, followed by that of the administration. */
export function useAdminTitle(title: string) {
  useEffect(() => {
    const before = withoutCount(document.title)
    document.title = `${title} | ${before}`
    return () => {
      document.title = before
    }
  }, [title])
}
