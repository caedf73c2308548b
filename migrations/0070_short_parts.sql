-- What trigrams cannot find: two letters or digits in a row, an emoji, a percent sign, a letter of another script. The embedded
-- database searches without these indexes.
DO $$
BEGIN
	IF version() LIKE '%PGlite%' THEN
		CREATE FUNCTION short_parts(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ''{}''::text[]';
	ELSE
		CREATE FUNCTION short_parts(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $f$
			SELECT ARRAY(
				SELECT substr(run, at, 2) FROM (SELECT DISTINCT run FROM regexp_split_to_table(value, '[^a-z0-9]+') run) runs,
					generate_series(1, length(run) - 1) at
				UNION
				SELECT sign FROM regexp_split_to_table(regexp_replace(value, '[a-z0-9\s_.,:;!?@()/''"-]+', '', 'g'), '') sign WHERE sign <> ''
			)
		$f$;
	END IF;
END
$$;
--> statement-breakpoint
-- It may not be built yet.
DO $$
BEGIN
	IF to_regclass('public.late_indexes') IS NOT NULL THEN
		DELETE FROM late_indexes WHERE name = 'chat_texts_signs';
	END IF;
	DROP INDEX IF EXISTS chat_texts_signs;
	DROP FUNCTION signs_in(text);
END
$$;
--> statement-breakpoint
CREATE INDEX "chat_texts_parts" ON "chat_texts" USING gin (short_parts("text"));
--> statement-breakpoint
CREATE INDEX "request_texts_parts" ON "request_texts" USING gin (short_parts("text"));
