-- subscriptions that are to be cancelled at their provider: of a purged team, or not paid until the grace was over
create table ended_subscriptions (
  subscription_ref text primary key,
  created_at timestamptz not null default clock_timestamp(),
  next_at timestamptz not null default clock_timestamp()
);
create index ended_subscriptions_due on ended_subscriptions (next_at);
