import { ChevronIcon } from '#src/ui/components/icons.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'

type HomeInformationPanelProps = { information: { title: string; description: string } }

/** The information panel; it folds without JavaScript too. */
export function HomeInformationPanel({ information }: HomeInformationPanelProps) {
  return (
    <details open className="rounded-card bg-brand-soft px-6">
      <summary className="flex min-h-14 items-center justify-between gap-4 py-3 font-bold">
        <h2 className="text-lg tracking-normal">{information.title}</h2>
        <ChevronIcon className="panel-sign" />
      </summary>
      <RichText html={information.description} className="prose pb-5" />
    </details>
  )
}
