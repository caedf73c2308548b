ALTER TABLE "requests" ADD COLUMN "on_hold" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "on_hold" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "request_entries_author_email" ON "request_entries" USING btree (lower("author_email"));
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refresh_request_text(id integer) RETURNS void LANGUAGE sql AS $$
	INSERT INTO request_texts (request_id, text)
	SELECT requests.id, search_text(concat_ws(E'\n', reference, name, email, phone, subject, message,
		(WITH RECURSIVE merged AS (
			SELECT one.id, one.reference FROM requests one WHERE one.merged_into_id = $1
			UNION SELECT one.id, one.reference FROM requests one JOIN merged ON one.merged_into_id = merged.id
		) SELECT string_agg(merged.reference, E'\n') FROM merged),
		(SELECT string_agg(request_entries.text, E'\n' ORDER BY request_entries.id) FROM request_entries WHERE request_id = requests.id)))
	FROM requests WHERE requests.id = $1
	ON CONFLICT (request_id) DO UPDATE SET text = excluded.text
$$;
--> statement-breakpoint
CREATE FUNCTION follow_request_merge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE target integer;
BEGIN
	IF loads_backup() THEN RETURN NULL; END IF;
	FOREACH target IN ARRAY ARRAY[OLD.merged_into_id, NEW.merged_into_id] LOOP
		WHILE target IS NOT NULL LOOP
			PERFORM refresh_request_text(target);
			target := (SELECT merged_into_id FROM requests WHERE requests.id = target);
		END LOOP;
	END LOOP;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION follow_changed_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() THEN
		PERFORM refresh_request_text(request_id)
		FROM (SELECT request_id FROM changed UNION SELECT request_id FROM former) found;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER request_text_merged AFTER UPDATE OF merged_into_id ON "requests" FOR EACH ROW WHEN (OLD.merged_into_id IS DISTINCT FROM NEW.merged_into_id) EXECUTE FUNCTION follow_request_merge();
--> statement-breakpoint
DROP TRIGGER request_text_changed ON "request_entries";
--> statement-breakpoint
CREATE TRIGGER request_text_changed AFTER UPDATE ON "request_entries" REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_changed_entries();
--> statement-breakpoint
SELECT refresh_request_text("merged_into_id") FROM (SELECT DISTINCT "merged_into_id" FROM "requests" WHERE "merged_into_id" IS NOT NULL) merged;
