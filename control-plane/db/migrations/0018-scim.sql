-- tokens of the directories that provision a team's members; each is valid for that alone
create table scim_tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  hash bytea not null unique,
  tail varchar(4) not null default '',
  created_by uuid,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index scim_tokens_by_created on scim_tokens (tenant_id, created_at, id);

-- what a directory says of a member, beside what the account and the membership say
create table scim_users (
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null,
  -- null: the address of the account
  user_name citext,
  external_id varchar(255),
  display_name varchar(255),
  formatted_name varchar(255),
  given_name varchar(255),
  family_name varchar(255),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  unique (tenant_id, user_name),
  foreign key (user_id, tenant_id) references memberships (user_id, tenant_id) on delete cascade
);
create index scim_users_of_member on scim_users (user_id, tenant_id);
create index scim_users_by_external_id on scim_users (tenant_id, external_id) where external_id is not null;
