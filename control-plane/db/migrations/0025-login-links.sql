-- links in mails that sign a person in, for the browser that asked for them alone. Used ones stay for a day: they count
create table login_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  email citext not null,
  browser_hash bytea not null,
  code_hash bytea not null,
  code_guesses integer not null default 0,
  next text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index login_links_user on login_links (user_id);
create index login_links_browser on login_links (browser_hash);
