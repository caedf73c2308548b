-- French comes first: what earlier versions published in English alone is a draft, in neither language.
UPDATE "jobs" SET "is_published" = false WHERE "is_published" AND regexp_replace("description", '<[^>]*>|&nbsp;|[\s\u00a0]', '', 'g') = '' AND regexp_replace("description_en", '<[^>]*>|&nbsp;|[\s\u00a0]', '', 'g') <> '';--> statement-breakpoint
UPDATE "notes" SET "is_published" = false WHERE "is_published" AND regexp_replace("note", '[\s\u00a0]', '', 'g') = '';--> statement-breakpoint
UPDATE "home_messages" SET "is_published" = false WHERE "is_published" AND regexp_replace("message", '<[^>]*>|&nbsp;|[\s\u00a0]', '', 'g') = '';--> statement-breakpoint
UPDATE "home_informations" SET "is_published" = false WHERE "is_published" AND regexp_replace("description", '<[^>]*>|&nbsp;|[\s\u00a0]', '', 'g') = '' AND (regexp_replace("description_en", '<[^>]*>|&nbsp;|[\s\u00a0]', '', 'g') <> '' OR regexp_replace("title", '[\s\u00a0]', '', 'g') = '');
