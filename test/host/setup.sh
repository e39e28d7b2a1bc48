# The host of the documents: run by `unshare --mount --net --pid`, so that nothing outside of it changes. Every folder that the
# commands write to is covered before the first command runs; without that, nothing runs.
set -euo pipefail
script=$1 out=$2 checkout=$3

mount --make-rprivate /
# It may lie in one of the folders that are covered.
exec 9< "$checkout"
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/out /mnt/host /mnt/layers /mnt/checkout
mount --rbind /proc/self/fd/9 /mnt/checkout
exec 9<&-
mount --bind "$out" /mnt/out
for folder in etc opt var usr root home; do
  mkdir "/mnt/layers/$folder" "/mnt/layers/$folder.work"
  mount -t overlay overlay "/$folder" \
    -o "lowerdir=/$folder,upperdir=/mnt/layers/$folder,workdir=/mnt/layers/$folder.work"
done
for folder in /tmp /run /var/tmp /var/lib/postgresql /etc/postgresql /var/log; do
  mkdir -p "$folder"
  mount -t tmpfs -o mode=755 tmpfs "$folder"
done
chmod 1777 /tmp /var/tmp
mkdir -p "$out" "$checkout"
mount --bind /mnt/out "$out"
mount --rbind /mnt/checkout "$checkout"
for folder in /etc /opt /var /usr /tmp /run; do
  case $(findmnt -n -o FSTYPE --mountpoint "$folder" | tail -n 1) in
    overlay | tmpfs) ;;
    *) echo "$folder is not covered" >&2; exit 70 ;;
  esac
done

# What Debian's packages bring along.
ip link set lo up
chown postgres:postgres /var/lib/postgresql /etc/postgresql
install -d -m 2775 -o postgres -g postgres /run/postgresql /var/log/postgresql
install -d /var/log/nginx /run/lock
pg_createcluster "$(ls /usr/lib/postgresql | sort -n | tail -n 1)" main --start > /dev/null
echo '127.0.0.1 localhost reports.example.com' > /etc/hosts
rm -f /etc/nginx/conf.d/vitrine.conf
nginx

# What is elsewhere in production: the build machine, Power BI, an editor with a person at it, systemd.
node "$checkout/deploy/release.js" /mnt/host > /dev/null
node "$checkout/dist/packages/power-bi-emulator/main.js" --port 4000 > /dev/null 2>&1 &
install -m 755 "$checkout/test/host/editor.sh" /usr/local/bin/editor
printf '#!/bin/sh\nexec node "%s/test/host/systemctl.js" "$@"\n' "$checkout" > /usr/local/bin/systemctl
chmod 755 /usr/local/bin/systemctl
# The next release, which the guide to upgrading unpacks: the same files.
ln -s "$(basename /mnt/host/vitrine-*.tar.gz -linux-x64.tar.gz)" /mnt/host/vitrine-0.2.0
tar --create --gzip --file=/root/vitrine-0.2.0-linux-x64.tar.gz --directory=/mnt/host vitrine-0.2.0
cd /mnt/host
exec bash "$script"
