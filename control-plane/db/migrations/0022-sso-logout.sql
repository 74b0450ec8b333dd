-- the session at the provider of a team that opened this one: the provider names it when it ends there
alter table tokens add column sso_sid varchar(255);

-- logout tokens of providers that were taken; kept until after they have expired
create table sso_logout_tokens (
  tenant_id uuid not null references tenants on delete cascade,
  jti_hash bytea not null,
  expires_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, jti_hash)
);
create index sso_logout_tokens_by_end on sso_logout_tokens (expires_at);
