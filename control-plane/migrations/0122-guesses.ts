import { Migration } from '@mikro-orm/migrations'

/**
 * Wrong passwords and codes are counted by account and by where they come from. They are counts of minutes: a crash of PostgreSQL forgets
 * them, so nothing is written ahead for them. Networks a person has signed in from are known by a hash, like devices.
 */
export class Guesses extends Migration {
  override up(): void {
    this.addSql(`
create unlogged table guesses (
  key bytea primary key,
  times timestamptz[] not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index guesses_by_end on guesses (ends_at);
create table known_networks (
  user_id uuid not null references users on delete cascade,
  fingerprint bytea not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, fingerprint)
);
alter table second_factors drop column failures, drop column locked_until`)
    for (const table of ['guesses', 'known_networks'])
      this.addSql(`
alter table ${table} enable row level security;
alter table ${table} force row level security;
grant select, insert, update, delete on ${table} to vedette_platform;
create policy platform on ${table} to vedette_platform using (true) with check (true)`)
  }
}
