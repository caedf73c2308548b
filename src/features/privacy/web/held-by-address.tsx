import { Button } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/disclosure.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { HeldData } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import { FindingList } from './finding-list.tsx'
import { kindName, reasonKey } from './kind-name.ts'

type HeldByAddressProps = { data: HeldData[]; onExport: (format: 'json' | 'csv') => void; onErase: () => void }

/** What is held under one address, kind by kind, and what can be done with it. */
export function HeldByAddress({ data, onExport, onErase }: HeldByAddressProps) {
  const t = useTexts(privacyTexts)
  if (data.length === 0) return <p role="status">{t('nothing')}</p>
  return (
    <>
      <div>
        {data.map((one) => (
          <Disclosure key={one.kind} title={t('found', { kind: kindName(t, one.kind), count: one.findings.length })}>
            {!one.erasable && <p className="mb-4 font-bold">{t(reasonKey(one.kind))}</p>}
            <FindingList findings={one.findings} />
          </Disclosure>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => onExport('json')}>
          {t('exportJson')}
        </Button>
        <Button variant="secondary" onClick={() => onExport('csv')}>
          {t('exportCsv')}
        </Button>
        {data.some((one) => one.erasable) && (
          <Button variant="danger" onClick={onErase}>
            {t('erase')}
          </Button>
        )}
      </div>
    </>
  )
}
