CREATE TABLE "chat_texts" (
	"chat_id" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_texts" (
	"request_id" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT replace(replace(lower(translate(value, 'ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜÁÍÓÚÑÃÕÅÌÒÝàâäçéèêëîïôöùûüÿáíóúñãõåìòýŒÆ' || U&'\0300\0301\0302\0308\0327\0303', 'aaaceeeeiioouuuaiounaoaioyaaaceeeeiioouuuyaiounaoaioyœæ')), 'œ', 'oe'), 'æ', 'ae')
$$;
--> statement-breakpoint
CREATE FUNCTION loads_backup() RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT coalesce(current_setting('guichet.loads_backup', true), '') = 'on'
$$;
--> statement-breakpoint
CREATE FUNCTION refresh_chat_text(id integer) RETURNS void LANGUAGE sql AS $$
	INSERT INTO chat_texts (chat_id, text)
	SELECT chats.id, search_text(concat_ws(E'\n', client_name, client_business, client_email, tags::text,
		(SELECT string_agg(message, E'\n' ORDER BY chat_messages.id) FROM chat_messages WHERE chat_id = chats.id)))
	FROM chats WHERE chats.id = $1 AND status = 'closed'
	ON CONFLICT (chat_id) DO UPDATE SET text = excluded.text
$$;
--> statement-breakpoint
CREATE FUNCTION follow_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF loads_backup() THEN RETURN NULL; END IF;
	IF NEW.status = 'closed' THEN
		PERFORM refresh_chat_text(NEW.id);
	ELSIF TG_OP = 'UPDATE' AND OLD.status = 'closed' THEN
		DELETE FROM chat_texts WHERE chat_id = NEW.id;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION follow_chat_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF loads_backup() THEN RETURN NULL; END IF;
	PERFORM refresh_chat_text(chat_id) FROM (SELECT DISTINCT chat_id FROM changed) found
	WHERE EXISTS (SELECT FROM chat_texts WHERE chat_texts.chat_id = found.chat_id);
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION refresh_request_text(id integer) RETURNS void LANGUAGE sql AS $$
	INSERT INTO request_texts (request_id, text)
	SELECT requests.id, search_text(concat_ws(E'\n', reference, name, email, phone, subject, message,
		(SELECT string_agg(request_entries.text, E'\n' ORDER BY request_entries.id) FROM request_entries WHERE request_id = requests.id)))
	FROM requests WHERE requests.id = $1
	ON CONFLICT (request_id) DO UPDATE SET text = excluded.text
$$;
--> statement-breakpoint
CREATE FUNCTION follow_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() THEN PERFORM refresh_request_text(NEW.id); END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION follow_request_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT loads_backup() THEN
		PERFORM refresh_request_text(request_id) FROM (SELECT DISTINCT request_id FROM changed) found;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER chat_text AFTER INSERT OR UPDATE OF status, client_name, client_email, client_business, tags ON "chats" FOR EACH ROW EXECUTE FUNCTION follow_chat();
--> statement-breakpoint
CREATE TRIGGER chat_text_added AFTER INSERT ON "chat_messages" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_chat_messages();
--> statement-breakpoint
CREATE TRIGGER chat_text_changed AFTER UPDATE ON "chat_messages" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_chat_messages();
--> statement-breakpoint
CREATE TRIGGER chat_text_removed AFTER DELETE ON "chat_messages" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_chat_messages();
--> statement-breakpoint
CREATE TRIGGER request_text AFTER INSERT OR UPDATE OF reference, name, email, phone, subject, message ON "requests" FOR EACH ROW EXECUTE FUNCTION follow_request();
--> statement-breakpoint
CREATE TRIGGER request_text_added AFTER INSERT ON "request_entries" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_request_entries();
--> statement-breakpoint
CREATE TRIGGER request_text_changed AFTER UPDATE ON "request_entries" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_request_entries();
--> statement-breakpoint
CREATE TRIGGER request_text_removed AFTER DELETE ON "request_entries" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_request_entries();
--> statement-breakpoint
INSERT INTO "chat_texts" ("chat_id", "text")
SELECT "chats"."id", search_text(concat_ws(E'\n', "client_name", "client_business", "client_email", "tags"::text,
	(SELECT string_agg("message", E'\n' ORDER BY "chat_messages"."id") FROM "chat_messages" WHERE "chat_id" = "chats"."id")))
FROM "chats" WHERE "status" = 'closed';
--> statement-breakpoint
INSERT INTO "request_texts" ("request_id", "text")
SELECT "requests"."id", search_text(concat_ws(E'\n', "reference", "name", "email", "phone", "subject", "message",
	(SELECT string_agg("request_entries"."text", E'\n' ORDER BY "request_entries"."id") FROM "request_entries" WHERE "request_id" = "requests"."id")))
FROM "requests";
--> statement-breakpoint
ALTER TABLE "chat_texts" ADD CONSTRAINT "chat_texts_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "request_texts" ADD CONSTRAINT "request_texts_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
DO $$
BEGIN
	CREATE EXTENSION IF NOT EXISTS pg_trgm;
	CREATE INDEX chat_texts_trigrams ON chat_texts USING gin (text gin_trgm_ops) WITH (fastupdate = off);
	CREATE INDEX request_texts_trigrams ON request_texts USING gin (text gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION WHEN undefined_file OR insufficient_privilege OR feature_not_supported OR undefined_object THEN
	RAISE NOTICE 'without pg_trgm a search reads every text';
END
$$;
--> statement-breakpoint
CREATE INDEX "requests_name" ON "requests" USING btree (search_text("name"),"id");
