-- a status 503 was a warning by default before it became down: whether a person decided to keep that for this check
alter table checks add column keeps_former_default boolean not null default false;
