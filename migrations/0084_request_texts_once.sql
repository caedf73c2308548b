-- Each call of a function in SQL is planned again; in PL/pgSQL once for a connection.
CREATE OR REPLACE FUNCTION refresh_request_text(id integer) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO request_texts (request_id, text)
	SELECT requests.id, search_text(concat_ws(E'\n', reference, name, email, phone, subject, message,
		(WITH RECURSIVE merged AS (
			SELECT one.id, one.reference FROM requests one WHERE one.merged_into_id = $1
			UNION SELECT one.id, one.reference FROM requests one JOIN merged ON one.merged_into_id = merged.id
		) SELECT string_agg(merged.reference, E'\n') FROM merged),
		(SELECT string_agg(request_entries.text, E'\n' ORDER BY request_entries.id) FROM request_entries WHERE request_id = requests.id)))
	FROM requests WHERE requests.id = $1
	ON CONFLICT (request_id) DO UPDATE SET text = excluded.text WHERE request_texts.text <> excluded.text;
END
$$;
--> statement-breakpoint
DROP TRIGGER request_text ON "requests";
--> statement-breakpoint
CREATE TRIGGER request_text AFTER UPDATE OF reference, name, email, phone, subject, message ON "requests" FOR EACH ROW EXECUTE FUNCTION follow_request();
--> statement-breakpoint
-- The first entry comes in the same transaction and makes the text of both: only a request without one still needs it then.
CREATE FUNCTION follow_new_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() AND NOT EXISTS (SELECT FROM request_texts WHERE request_id = NEW.id) THEN
		PERFORM refresh_request_text(NEW.id);
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER request_text_new AFTER INSERT ON "requests" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION follow_new_request();
