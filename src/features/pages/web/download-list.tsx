import { defineTexts } from '#src/lib/language/texts.ts'
import { useState } from 'react'
import { company } from '#company/company.ts'
import { formatBytes, unbroken } from '#src/lib/text/numbers.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { DownloadIcon, ExternalIcon, PhoneIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { OfferedFile } from '../contract.ts'

const downloadTexts = defineTexts({
  fr: {
    download: 'Télécharger',
    downloadOf: 'Télécharger : {label}',
    openSite: 'Ouvrir le site de l’éditeur',
    openSiteOf: 'Ouvrir le site de l’éditeur : {label}',
    elsewhere: 'Offert par {host}',
    size: 'Taille : {size}',
    fingerprint: 'Empreinte SHA-256',
    copy: 'Copier l’empreinte',
    copyOf: 'Copier l’empreinte : {label}',
    copied: 'Copiée',
    missing: 'Ce fichier n’est pas offert en ce moment. Appelez-nous et nous vous le ferons parvenir.',
    call: 'Appeler le\u00a0{phone}',
  },
  en: {
    download: 'Download',
    downloadOf: 'Download: {label}',
    openSite: 'Open the publisher’s site',
    openSiteOf: 'Open the publisher’s site: {label}',
    elsewhere: 'Offered by {host}',
    size: 'Size: {size}',
    fingerprint: 'SHA-256 fingerprint',
    copy: 'Copy fingerprint',
    copyOf: 'Copy fingerprint: {label}',
    copied: 'Copied',
    missing: 'This file is not available at the moment. Call us and we will send it to you.',
    call: 'Call {phone}',
  },
})

/** Files to install, each with size and SHA-256, or a notice when it is missing. */
export function DownloadList({ files }: { files: OfferedFile[] }) {
  return (
    <ul className="grid gap-6 lg:grid-cols-2">
      {files.map((file) => (
        <li key={file.id} className="card grid content-start justify-items-start gap-3 p-6">
          <DownloadItem file={file} />
        </li>
      ))}
    </ul>
  )
}

function DownloadItem({ file }: { file: OfferedFile }) {
  const t = useTexts(downloadTexts)
  const language = useLanguage()
  const label = file.label[language]
  const phone = company.phones.tollFree
  if (file.href === null) {
    return (
      <>
        <h3 className="text-lg">{label}</h3>
        <p className="text-ink-2">{t('missing')}</p>
        <ButtonAnchor variant="link" href={`tel:${phone.e164}`}>
          <PhoneIcon size={18} />
          <span className="tabular">{t('call', { phone: unbroken(phone.display) })}</span>
        </ButtonAnchor>
      </>
    )
  }
  return (
    <>
      <h3 className="text-lg">{label}</h3>
      {file.external ? (
        <>
          <p className="text-sm text-ink-2">{t('elsewhere', { host: new URL(file.href).host })}</p>
          <ButtonAnchor
            variant="secondary"
            size="small"
            href={file.href}
            rel="noopener noreferrer"
            aria-label={t('openSiteOf', { label })}
          >
            <ExternalIcon size={18} />
            <span>{t('openSite')}</span>
          </ButtonAnchor>
        </>
      ) : (
        <ButtonAnchor size="small" href={file.href} download aria-label={t('downloadOf', { label })}>
          <DownloadIcon size={18} />
          <span>{t('download')}</span>
        </ButtonAnchor>
      )}
      {file.size !== null && <p className="text-sm text-ink-2">{t('size', { size: formatBytes(file.size, language) })}</p>}
      {file.sha256 && <Fingerprint value={file.sha256} label={label} />}
    </>
  )
}

function Fingerprint({ value, label }: { value: string; label: string }) {
  const t = useTexts(downloadTexts)
  const [isCopied, setCopied] = useState(false)
  const handleCopy = () => {
    void navigator.clipboard.writeText(value).then(() => setCopied(true))
  }
  return (
    <div className="w-full text-sm">
      <div className="flex items-center justify-between gap-4">
        <p className="text-ink-2">{t('fingerprint')}</p>
        <Button variant="link" size="small" className="needs-script" onClick={handleCopy} aria-label={t('copyOf', { label })}>
          {t('copy')}
        </Button>
      </div>
      <code className="block rounded-field bg-paper px-3 py-2 text-xs break-all">{value}</code>
      <p role="status" className="text-ok">
        {isCopied && t('copied')}
      </p>
    </div>
  )
}
