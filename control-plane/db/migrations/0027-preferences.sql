-- how a person wants the app; what is missing has its default
alter table users add column preferences jsonb not null default '{}';

-- whether a person has chosen language and time zone: the app offers those of the browser to all others
alter table users add column chose_locale boolean not null default false;
update users set chose_locale = true where language <> 'en' or timezone <> 'UTC';
