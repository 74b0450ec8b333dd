-- Messages that asked an address whether it wants something of a team. It outlives what was asked about, so that
-- deleting and adding the address again asks no more often.
create table mail_questions (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  address_hash bytea not null,
  asked_by text not null check (asked_by in ('team', 'visitor')),
  asked_at timestamptz not null default clock_timestamp()
);
create index mail_questions_of_team on mail_questions (tenant_id, asked_by, asked_at);
create index mail_questions_of_address on mail_questions (address_hash, asked_at);
create index mail_questions_by_age on mail_questions (asked_at);
