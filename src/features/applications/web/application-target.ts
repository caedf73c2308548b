import type { FormTarget } from '#src/features/requests/web/request-submission.ts'
import { createUpload } from '#src/ui/uploads/upload.ts'
import { applicationInput } from '../contract.ts'
import { applicationFields } from '../values.ts'

/** Where the form of a posting goes: its fields with the files that are chosen in it. */
export function createTarget(jobId: number): FormTarget {
  return {
    schema: applicationInput,
    fields: applicationFields,
    bodyOf(values, form) {
      const body = new FormData()
      for (const [name, value] of Object.entries(values)) body.append(name, value)
      const { visitSource } = globalThis
      if (visitSource) body.append('source', JSON.stringify(visitSource))
      // A field that was left empty holds a file without a name.
      for (const file of form ? new FormData(form).getAll('files') : [])
        if (typeof file !== 'string' && file.name) body.append('files', file)
      return body
    },
    send: (body, run) =>
      createUpload(filesOf(body), {
        path: `/public_api/jobs/${jobId}/applications`,
        purpose: null,
        body: () => body,
        isRepeatable: true,
      }).run(run),
    fileNames: (body) =>
      filesOf(body)
        .map(({ name }) => name)
        .join(', '),
    clear(form) {
      const files = form.elements.namedItem('files')
      if (files instanceof HTMLInputElement) files.value = ''
    },
  }
}

const filesOf = (body: FormData) => body.getAll('files').filter((file) => typeof file !== 'string')
