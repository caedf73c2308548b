/** The files that are chosen in a form. */
export const filesOf = (form: HTMLFormElement) =>
  new FormData(form).getAll('files').filter((file) => typeof file !== 'string' && file.name !== '') as File[]
