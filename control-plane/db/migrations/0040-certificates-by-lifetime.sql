-- certificates warn by shares of their life where their owner chose no days: until now the usual days were stored with each check
update checks set settings = settings - 'warn_days'
where type = 'ssl' and settings -> 'warn_days' = '[30, 14, 7, 3, 1]'::jsonb;
