CREATE TABLE "recording_peaks" (
	"recording_id" integer PRIMARY KEY NOT NULL,
	"peaks" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recording_plays" (
	"session_hash" text NOT NULL,
	"recording_id" integer NOT NULL,
	CONSTRAINT "recording_plays_session_hash_recording_id_pk" PRIMARY KEY("session_hash","recording_id")
);
--> statement-breakpoint
CREATE TABLE "recording_settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"retention_days" integer NOT NULL,
	"play" text NOT NULL,
	"download" text NOT NULL,
	"delete" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"direction" text NOT NULL,
	"caller" text NOT NULL,
	"callee" text NOT NULL,
	"agent" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"file_name" text NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"on_hold" boolean DEFAULT false NOT NULL,
	"searched" text NOT NULL,
	"grams" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recordings_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "recording_stray_files" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"remove_after" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recording_peaks" ADD CONSTRAINT "recording_peaks_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_plays" ADD CONSTRAINT "recording_plays_session_hash_sessions_id_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("id_hash") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "recording_plays" ADD CONSTRAINT "recording_plays_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recording_plays_recording" ON "recording_plays" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "recordings_started" ON "recordings" USING btree ("started_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "recordings_content" ON "recordings" USING btree ("sha256","file_name");--> statement-breakpoint
CREATE INDEX "recordings_grams" ON "recordings" USING gin ("grams") WITH (fastupdate=false);