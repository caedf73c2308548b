import { Banner } from '#src/ui/components/banner.tsx'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { texts } from '../texts.ts'

/** The red code banner. */
export function HomeAlarm({ message }: { message: string }) {
  const t = useTexts(texts)
  return (
    <Banner
      label={t('alarm')}
      action={
        <Link to="/reseau" className="inline-flex flex-none items-center gap-2 py-1 underline underline-offset-4">
          <span>{t('seeNetwork')}</span>
          <ArrowIcon />
        </Link>
      }
    >
      <RichText html={message} className="prose prose-plain" />
    </Banner>
  )
}
