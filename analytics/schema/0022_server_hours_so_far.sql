-- Hours of samples that came before hours were noted. Any later computation stands above this one.
INSERT INTO server_samples_by_hour (tenant_id, monitor_id, metric, label, hour, samples, total, highest, keep_days, version)
SELECT tenant_id, monitor_id, metric, if(metric = 'cpu', '', server_samples.label) AS of, toStartOfHour(at) AS start, count(), sum(value), max(value), max(keep_days), 0
FROM server_samples FINAL
GROUP BY tenant_id, monitor_id, metric, of, start
