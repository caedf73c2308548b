-- What a search of trigrams cannot find: an emoji, a percent sign, a letter of another script.
CREATE FUNCTION signs_in(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT ARRAY(SELECT DISTINCT sign FROM regexp_split_to_table(regexp_replace(value, '[a-z0-9\s.,:;!?@()/''"-]+', '', 'g'), '') sign WHERE sign <> '')
$$;
--> statement-breakpoint
CREATE INDEX "chat_texts_signs" ON "chat_texts" USING gin (signs_in("text"));
