# Reads jobs as JSON from its input and prints their answers: of Helm's own library, by helm-python-sdk.
import json
import sys

sys.path.insert(0, sys.argv[1])
import helm_python as helm  # noqa: E402

answers = []
for job in json.load(sys.stdin):
    try:
        if job["do"] == "lint":
            report = helm.lint(job["chart"], job["values"], strict=True, kube_version=job["kubernetes"])
            answers.append({"errors": report["errors"]})
            continue
        chart = helm.Chart.load(job["chart"])
        chart.validate_schema(job["values"])
        files = chart.render(job["values"], name=job["name"], namespace="default", is_install=True)
        answers.append({"errors": [], "files": files})
    except helm.HelmError as error:
        answers.append({"errors": [str(error)]})
json.dump(answers, sys.stdout)
