CREATE TABLE "entry_orders" (
	"area" text PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"ids" integer[] NOT NULL
);
