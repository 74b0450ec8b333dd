-- the alert that a message opens, other than an incident's, where its channel is to be notified of the end; null again once
-- that is written. A process of the version before writes none: the rules of the end decide alone, as they did
alter table deliveries add column opens varchar(60);
create index deliveries_opens on deliveries (opens) where opens is not null;
