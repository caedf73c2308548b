CREATE TABLE "chat_figures" (
	"chat_id" integer PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"user_id" integer,
	"is_missed" boolean NOT NULL,
	"is_taken_over" boolean NOT NULL,
	"is_given_up" boolean NOT NULL,
	"answer" real,
	"resolution" real,
	"wait" real,
	"silence" real,
	"rating" smallint
);
--> statement-breakpoint
ALTER TABLE "chat_figures" ADD CONSTRAINT "chat_figures_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_figures" ADD CONSTRAINT "chat_figures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_figures_day" ON "chat_figures" USING btree ("day");--> statement-breakpoint
CREATE INDEX "chat_figures_user" ON "chat_figures" USING btree ("user_id");--> statement-breakpoint
CREATE FUNCTION follow_chat_figures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.status = 'closed' THEN
		UPDATE chat_figures SET rating = NEW.rating WHERE chat_id = NEW.id;
	ELSE
		DELETE FROM chat_figures WHERE chat_id = NEW.id;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER chat_figures AFTER UPDATE OF status, rating ON "chats" FOR EACH ROW
	WHEN (OLD.status = 'closed' AND (NEW.status <> 'closed' OR NEW.rating IS DISTINCT FROM OLD.rating))
	EXECUTE FUNCTION follow_chat_figures();
