curl --no-buffer --silent http://localhost:8080/api/v1/events |
  while IFS= read -r line; do
    case $line in
      data:*) echo "new snapshot:${line#data:}" ;;
    esac
  done
