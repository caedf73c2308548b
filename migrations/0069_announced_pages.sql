CREATE TABLE "announced_pages" (
	"path" text PRIMARY KEY NOT NULL,
	"changed_at" text NOT NULL
);
