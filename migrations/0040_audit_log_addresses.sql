CREATE FUNCTION addresses_in(before jsonb, after jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE WHEN coalesce(before::text, '') || coalesce(after::text, '') LIKE '%@%' THEN coalesce((
		SELECT array_agg(DISTINCT rtrim(lower(word), '.'))
		FROM regexp_split_to_table(coalesce(before::text, '') || ' ' || coalesce(after::text, ''), '[\s"<>(),;:\\]+') word
		WHERE word LIKE '%_@_%' AND length(word) <= 320
	), '{}') ELSE '{}' END
$$;
--> statement-breakpoint
CREATE INDEX "journal_addresses" ON "journal" USING gin (addresses_in("before", "after"));