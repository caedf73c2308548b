CREATE TABLE "import_entries" (
	"source" text NOT NULL,
	"entry" text NOT NULL,
	"import_id" integer NOT NULL,
	"writer" text NOT NULL,
	"entry_id" integer NOT NULL,
	"digest" text NOT NULL,
	"mark" text NOT NULL,
	"is_updated" boolean DEFAULT false NOT NULL,
	CONSTRAINT "import_entries_source_entry_pk" PRIMARY KEY("source","entry")
);
--> statement-breakpoint
CREATE TABLE "import_refusals" (
	"id" serial PRIMARY KEY NOT NULL,
	"import_id" integer NOT NULL,
	"at" text NOT NULL,
	"name" text NOT NULL,
	"reason" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"file" text NOT NULL,
	"path" text NOT NULL,
	"owns_file" boolean DEFAULT true NOT NULL,
	"charset" text DEFAULT 'utf-8' NOT NULL,
	"source" text NOT NULL,
	"map" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"choices" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"preview" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"counts" jsonb NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"holder" text,
	"lease_until" timestamp with time zone,
	"user_id" integer,
	"user_name" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"error" jsonb,
	"left_entries" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "import_entries" ADD CONSTRAINT "import_entries_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_refusals" ADD CONSTRAINT "import_refusals_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_entries_import" ON "import_entries" USING btree ("import_id","entry_id");--> statement-breakpoint
CREATE INDEX "import_refusals_import" ON "import_refusals" USING btree ("import_id","id");--> statement-breakpoint
CREATE INDEX "imports_created" ON "imports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "imports_state" ON "imports" USING btree ("state");