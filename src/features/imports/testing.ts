/** Parts of a WordPress export. */
export const item = (id: number, title: string, html: string, more = '') =>
  `<item><title>${title}</title><link>https://ancien.example/${id}/</link><content:encoded><![CDATA[${html}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>${more}</item>`
const term = (domain: string, nicename: string) => `<category domain="${domain}" nicename="${nicename}"><![CDATA[x]]></category>`
export const polylang = (language: string, group: string) => term('language', language) + term('post_translations', group)
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
export const wpml = (language: string, group: string) =>
  meta('_wpml_import_language_code', language) + meta('_wpml_import_translation_group', group)
export const site = (items: string, before = '', head = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<rss version="2.0" xmlns:content="c" xmlns:wp="w"><channel><language>fr-CA</language><wp:wxr_version>1.2</wp:wxr_version>${head}${items}</channel></rss>`
